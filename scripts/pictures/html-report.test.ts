// @module-tag nightly
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { htmlReport } from '../../contract-tests/reports/html.ts';
import type { CheckResult, Report } from '../../contract-tests/reports/report.ts';
import { makeRedReport } from './testing/fill-mock.ts';
import { clickOn, views, withPage } from './testing/open-page.ts';

const phone = { width: 390, scheme: 'light' } as const;
let report: Report;

beforeAll(async () => {
  report = withLongWords(await makeRedReport());
});

test.for(views)('does not scroll sideways or load anything at $width in the $scheme', async (view) => {
  await withPage({ html: htmlReport(report), ...view }, async (page, requested, problems) => {
    expect(await overflowOf(page)).toBe(0);
    await clickOn(page, '.unfold');
    expect(await page.$$eval('main details:not([open])', (some) => some.length)).toBe(0);
    expect(await overflowOf(page)).toBe(0);
    expect(requested).toEqual([page.url()]);
    expect(problems).toEqual([]);
  });
});

test('a count filters the report, by mouse and keyboard', async () => {
  await withPage({ html: htmlReport(report), ...phone }, async (page) => {
    const all = report.requirements.length;
    await clickOn(page, '[data-filter=failed]');
    expect(await verdictsShown(page)).toEqual({ failed: report.summary.failed });
    expect(await page.$eval('[data-filter=failed]', (one) => one.getAttribute('aria-pressed'))).toBe('true');
    expect(await page.$eval('.shown', (one) => one.textContent)).toBe(
      `${report.summary.failed} of ${all} requirements shown`,
    );
    await page.focus('[data-filter=partly]');
    await page.keyboard.press('Space');
    expect(await verdictsShown(page)).toEqual({
      failed: report.summary.failed,
      partly: report.summary.partly,
    });
    await clickOn(page, '.all');
    expect(Object.values(await verdictsShown(page)).reduce((sum, one) => sum + one, 0)).toBe(all);
    await clickOn(page, '[data-filter=remarks]');
    expect(await verdictsShown(page)).toEqual({});
    expect(await isVisible(page, '#remarks')).toBe(true);
    expect(await isVisible(page, '#gaps')).toBe(false);
  });
});

test('a link in the summary shows a filtered requirement', async () => {
  await withPage({ html: htmlReport(report), ...phone }, async (page) => {
    await clickOn(page, '[data-filter=passed]');
    const id = report.requirements.find(({ outcome }) => outcome === 'failed')?.id;
    await clickOn(page, '.first a');
    await page.waitForSelector(`#${id}:not([hidden])`);
    expect(await isVisible(page, `#${id}`)).toBe(true);
  });
});

test('is readable without its script', async () => {
  await withPage({ html: htmlReport(report), ...phone, withScript: false }, async (page) => {
    expect(await isVisible(page, '.filters')).toBe(false);
    expect(await page.$$eval('a.count', (some) => some.length)).toBeGreaterThan(3);
    const dangling =
      '[...document.links].filter(({ hash }) => !document.getElementById(hash.slice(1))).length';
    expect(await numberIn(page, dangling)).toBe(0);
    expect(await overflowOf(page)).toBe(0);
  });
});

test('prints in black on white with all details open', async () => {
  await withPage(
    { html: htmlReport(report), width: 1280, scheme: 'dark', withScript: false },
    async (page) => {
      await page.emulateMediaType('print');
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      expect(
        await page.$eval('details.more:not([open]) p', (one) =>
          one.checkVisibility({ contentVisibilityAuto: true }),
        ),
      ).toBe(true);
    },
  );
});

function overflowOf(page: Page): Promise<number> {
  return numberIn(page, 'Math.max(0, document.scrollingElement.scrollWidth - innerWidth)');
}

async function numberIn(page: Page, code: string): Promise<number> {
  return Number(await page.evaluate(code));
}

function isVisible(page: Page, selector: string): Promise<boolean> {
  return page.$eval(selector, (one) => one.checkVisibility());
}

async function verdictsShown(page: Page): Promise<Record<string, number>> {
  const shown = await page.$$eval('.requirement', (some) =>
    some
      .filter((one) => one.checkVisibility())
      .map((one) => one.closest('.group')?.getAttribute('data-verdict') ?? ''),
  );
  return Object.fromEntries(
    [...Map.groupBy(shown, (one) => one)].map(([verdict, some]) => [verdict, some.length]),
  );
}

/** A report with words that cannot break, in every text of a deployment or its profile. */
function withLongWords(given: Report): Report {
  const word = 'w'.repeat(900);
  const spoil = (check: CheckResult): CheckResult => ({
    ...check,
    actual: check.actual && `${check.actual} ${word}`,
    curl: check.curl && `${check.curl} ${word}`,
    trace_id: check.trace_id && word,
    ...(check.call && { call: { ...check.call, path: `/${word}`, answer: `{"${word}":"${word}"}` } }),
    ...(check.timeline && {
      timeline: check.timeline.map((one) => ({ ...one, what: `${one.what} ${word}` })),
    }),
  });
  return {
    ...given,
    target: { ...given.target, base_url: `http://${word}/api/v1`, profile: word },
    notes: [...(given.notes ?? []), word],
    token_line: word,
    requirements: given.requirements.map((one) => ({
      ...one,
      reason: one.reason && word,
      checks: one.checks.map(spoil),
    })),
    remarks: given.remarks.map((one) => ({ ...one, example: word })),
    gaps: given.gaps.map((one) => ({ ...one, value: word, observed: one.observed && word })),
    leftovers: [{ what: 'subscription', id: word, site: word, target: word }],
  };
}
