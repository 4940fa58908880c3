import { readFileSync } from 'node:fs';
import type { McpServer } from '@modelcontextprotocol/server';
import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { manualPages, titleOf } from '../commands/manual-pages.ts';
import type { Session } from './session.ts';

interface Resource {
  name: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  read(): string;
}

/** The pages of the manual, and the description and the profile that the server was started with. */
export function registerResources(server: McpServer, session: Session): void {
  const { redact } = session.secrets;
  for (const { name, uri, read, ...about } of [...descriptions(session), ...pages()])
    server.registerResource(name, uri, about, () => ({
      contents: [{ uri, mimeType: about.mimeType, text: inPieces(read(), redact) }],
    }));
}

function descriptions({ given }: Session): Resource[] {
  const profile = given.text('profile') ?? 'default';
  const load = () => loadProfile(profile);
  return [
    {
      name: 'openapi',
      uri: 'sitepub://openapi.yaml',
      title: 'OpenAPI description',
      description: `The description of the deployment that the profile ${profile} describes.`,
      mimeType: 'application/yaml',
      read: () => visibleYaml(resolve(load())),
    },
    {
      name: 'profile',
      uri: 'sitepub://profile.yaml',
      title: 'Profile',
      description: `How the profile ${profile} fills the gaps of the interface document.`,
      mimeType: 'application/yaml',
      read: () => visibleYaml(statedValues(load())),
    },
  ];
}

function pages(): Resource[] {
  return [...manualPages()].map(([topic, path]) => ({
    name: `manual-${topic}`,
    uri: `sitepub://manual/${topic}`,
    title: titleOf(path),
    description: 'A page of the manual of sitepub.',
    mimeType: 'text/markdown',
    read: () => visibleLines(readFileSync(path, 'utf8')),
  }));
}

/** Line by line, since a text that is redacted as a whole ends after 128 kB. */
function inPieces(text: string, redact: (text: string) => string): string {
  return text.split('\n').map(redact).join('\n');
}
