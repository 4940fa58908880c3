// What a person does in the console once, from the login to the end: each thing that it offers, with words of their own.
import type { Page } from 'puppeteer-core';

/** What is typed, by operation. Nothing of it may be seen in what is learnt. */
export function wordsTyped({ username, password }: { username: string; password: string }) {
  return {
    login: { username, password },
    createSite: { name: 'Teashop of Wilhelmina' },
    importSite: { name: 'Bakery', source: 'https://old.bakery.example/export?signature=Zq81kfLw02mN' },
    publishSite: { note: 'for aunt Griselda' },
    failPublish: { note: 'surprise party' },
    askAi: { prompt: 'write about scones' },
    createKey: { name: 'laptop' },
    createContent: { title: 'Opening', text: 'We open on Friday, call 0151 2345678' },
    updateContent: { title: 'Opening', text: 'We open on Saturday' },
    submitForm: { form: 'contact', email: 'wilhelmina@mail.example', message: 'hungry' },
    createComment: { author: 'Griselda', text: 'lovely' },
    createSubscription: {
      url: 'https://hooks.example.com/in/Kx92mQpL7',
      channel: 'custom',
      secret: 'correct horse 7',
    },
  } as const;
}

export type Typed = ReturnType<typeof wordsTyped>;

/** Does all of it, in the order of the forms. Throws where the deployment refuses one. */
export async function useConsole(page: Page, typed: Typed): Promise<string[]> {
  await page.waitForSelector('form[data-operation=login]');
  const offered = await page.$$eval('form', (forms) => forms.map((form) => form.dataset.operation ?? ''));
  for (const operation of offered) {
    const words = Object.entries(typed).find(([id]) => id === operation)?.[1] ?? {};
    await use(page, operation, words);
    if (twice.includes(operation)) await use(page, operation, words);
  }
  return offered;
}

/** So that their lists have a second page. */
const twice = ['createSubscription', 'testSubscription'];

async function use(page: Page, operation: string, words: Readonly<Record<string, string>>): Promise<void> {
  const form = `form[data-operation=${operation}]`;
  for (const [name, text] of Object.entries(words))
    await page.locator(`${form} input[name=${name}]`).fill(text);
  const lines = `[data-done=${operation}]`;
  const before = (await page.$$(lines)).length;
  await page.locator(`${form} button`).click();
  await page.waitForFunction(`document.querySelectorAll('${lines}').length > ${before}`);
  const text = await page.$$eval(
    lines,
    (all) => `${all.at(-1)?.getAttribute('data-code')} ${all.at(-1)?.textContent}`,
  );
  if (!text.startsWith('0 ')) throw new Error(`the console was refused: ${text}`);
}
