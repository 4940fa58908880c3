// The files of a shared deployment, as far as they can be held to this version without Docker and Kubernetes.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { explainUnknown } from '../../cli/options/environment.ts';
import { openMock } from '../../cli/testing.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

interface ComposeService {
  environment?: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  deploy?: { replicas: number };
  ports?: string[];
  volumes?: string[];
  stop_grace_period?: string;
}

interface Compose {
  services: Record<'db' | 'sitepub' | 'balancer', ComposeService>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

const compose: Compose = parse(read('compose.yaml'));
const nginx = read('nginx.conf');
const files = globSync('kubernetes/*.yaml', { cwd: fileURLToPath(new URL('.', import.meta.url)) });
const resources = files.flatMap((file) => parseAllDocuments(read(file)).map((each) => each.toJS()));
const [deployment, service, disruption] = ['Deployment', 'Service', 'PodDisruptionBudget'].map((wanted) =>
  resources.find(({ kind }) => kind === wanted),
);
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const dockerfile = read('../../Dockerfile');
const [, exposed] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];

test('the mocks are given variables that they read', () => {
  const names = [
    ...Object.keys(compose.services.sitepub.environment ?? {}),
    ...container.env.map(({ name }: { name: string }) => name),
  ];
  expect(names).toHaveLength(4);
  expect(explainUnknown(Object.fromEntries(names.map((name) => [name, 'x'])))).toBeUndefined();
});

test('each secret exists, and README.md creates it', () => {
  const { services, secrets } = compose;
  for (const { environment = {}, secrets: own = [] } of Object.values(services)) {
    const named = Object.values(environment).flatMap(
      (value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [],
    );
    expect(named.sort()).toEqual([...own].sort());
  }
  const used = Object.values(services).flatMap((each) => each.secrets ?? []);
  expect(used.sort()).toEqual(Object.keys(secrets).sort());
  const readme = read('README.md');
  for (const { file } of Object.values(secrets)) expect(readme).toContain(`> ${file}\n`);
  const [volume] = pod.volumes;
  expect(readme).toContain(`create secret generic ${volume.secret.secretName} `);
  const [mount] = container.volumeMounts;
  expect(mount.name).toBe(volume.name);
  for (const { value } of container.env) {
    expect(value.startsWith(`${mount.mountPath}/`)).toBe(true);
    expect(readme).toContain(`--from-file=${value.slice(mount.mountPath.length + 1)}=`);
  }
});

test('three mocks begin when the database answers, and may end in peace', () => {
  const { db, sitepub, balancer } = compose.services;
  expect(sitepub.deploy?.replicas).toBe(3);
  expect(deployment.spec.replicas).toBe(3);
  expect(db.healthcheck).toBeDefined();
  expect(sitepub.depends_on).toEqual({ db: { condition: 'service_healthy' } });
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  expect(balancer.depends_on).toEqual({ sitepub: { condition: 'service_healthy' } });
  expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  expect(disruption.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  // The longest that a mock takes to end is 5 s.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(5);
  expect(sitepub.stop_grace_period).toBe('15s');
});

test('calls lead to the port of the image, and stick to no mock', () => {
  expect(nginx).toContain(`proxy_pass http://$mocks:${exposed};`);
  expect(nginx).toContain('set $mocks sitepub;');
  expect(compose.services.balancer.ports).toEqual([`127.0.0.1:4010:${/listen (\d+);/.exec(nginx)?.[1]}`]);
  expect(nginx).not.toMatch(/ip_hash|sticky/);
  expect(container.ports).toEqual([{ name: 'http', containerPort: Number(exposed) }]);
  expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  expect(service.spec.sessionAffinity).toBeUndefined();
  const { labels } = deployment.spec.template.metadata;
  for (const selector of [
    service.spec.selector,
    deployment.spec.selector.matchLabels,
    disruption.spec.selector.matchLabels,
  ])
    expect(labels).toMatchObject(selector);
});

test('probes call paths that a mock answers without a token', async () => {
  await using mock = await openMock();
  for (const { httpGet } of [container.livenessProbe, container.readinessProbe]) {
    expect(httpGet.port).toBe('http');
    expect((await fetch(new URL(httpGet.path, mock.controlUrl))).status, httpGet.path).toBe(200);
  }
  expect(container.livenessProbe.httpGet.path).toBe('/_mock/live');
  expect(container.readinessProbe.httpGet.path).toBe('/_mock/ready');
  // The mock asks its store for two seconds.
  expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(2);
});

test('all mounted and linked files exist', () => {
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .map((volume) => volume.split(':')[0] ?? '');
  for (const source of mounted)
    expect(
      source.startsWith('./') ? existsSync(new URL(source, import.meta.url)) : source in compose.volumes,
    ).toBe(true);
  for (const [, target = ''] of read('README.md').matchAll(/\]\(([^)#]+)/g))
    expect(existsSync(new URL(target, import.meta.url)), target).toBe(true);
});
