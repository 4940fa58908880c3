import { html } from 'htm/preact';

export function ChatMessage({ text: body }: { text: string }) {
  const shown = readChatMessage(body);
  if (!shown) return null;
  const { title, text } = shown;
  const lines = text.split('\n').filter(Boolean);
  return html`<div class="chat"><p class="robot">Group robot</p><div class="bubble">
    ${title !== undefined && html`<p class="chat-title">${title}</p>`}
    ${lines.map((line, index) => html`<${Line} key=${index} line=${line} />`)}
  </div></div>`;
}

/** Renders only headings and quotes of Markdown. */
function Line({ line }: { line: string }) {
  const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
  if (heading !== undefined) return html`<p class="chat-title">${heading}</p>`;
  return line.startsWith('> ') ? html`<p class="quoted">${line.slice(2)}</p>` : html`<p>${line}</p>`;
}

interface Shown {
  title?: string;
  text: string;
}

interface Robots {
  text?: { content?: unknown };
  markdown?: { content?: unknown; title?: unknown; text?: unknown };
  markdown_v2?: { content?: unknown };
  content?: { text?: unknown; post?: Record<string, { title?: unknown; content?: { text?: unknown }[][] }> };
  card?: { header?: { title?: { content?: unknown } }; elements?: { text?: { content?: unknown } }[] };
}

/** Reads only the forms that the mock sends; returns undefined for other bodies. */
export function readChatMessage(body: string): Shown | undefined {
  try {
    const message = JSON.parse(body) as Robots;
    const { text, markdown, markdown_v2: other, content, card } = message;
    const plain = text?.content ?? markdown?.content ?? markdown?.text ?? other?.content ?? content?.text;
    if (typeof plain === 'string') return { text: plain };
    return readPost(content) ?? readCard(card);
  } catch {
    return undefined;
  }
}

function readPost(content: Robots['content']): Shown | undefined {
  const [post] = Object.values(content?.post ?? {});
  if (!post) return undefined;
  const lines = (post.content ?? []).map((line) => line.map(({ text }) => String(text ?? '')).join(''));
  return { title: String(post.title ?? ''), text: lines.join('\n') };
}

function readCard(card: Robots['card']): Shown | undefined {
  if (!card) return undefined;
  const lines = (card.elements ?? []).map(({ text }) => String(text?.content ?? ''));
  return { title: String(card.header?.title?.content ?? ''), text: lines.join('\n') };
}
