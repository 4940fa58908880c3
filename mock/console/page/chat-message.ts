// A message as the chat would show it: bubble, title, lines. Only the forms that the mock sends are known; others are shown as text.
import { html } from 'htm/preact';
import type { VNode } from 'preact';

interface Shown {
  title?: string;
  text: string;
}

export function ChatMessage({ text }: { text: string }): VNode | null {
  const shown = readMessage(text);
  if (!shown) return null;
  return html`<div class="chat"><p class="robot">Group robot</p><div class="bubble">
    ${shown.title !== undefined && html`<p class="chat-title">${shown.title}</p>`}
    ${shown.text
      .split('\n')
      .filter(Boolean)
      .map((line, index) => html`<${Line} key=${index} line=${line} />`)}
  </div></div>` as VNode;
}

/** Markdown's headings and quotes; the rest as it is. */
function Line({ line }: { line: string }): VNode {
  const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
  if (heading !== undefined) return html`<p class="chat-title">${heading}</p>`;
  return line.startsWith('> ') ? html`<p class="quoted">${line.slice(2)}</p>` : html`<p>${line}</p>`;
}

interface Robots {
  text?: { content?: unknown };
  markdown?: { content?: unknown; title?: unknown; text?: unknown };
  markdown_v2?: { content?: unknown };
  content?: { text?: unknown; post?: Record<string, { title?: unknown; content?: { text?: unknown }[][] }> };
  card?: { header?: { title?: { content?: unknown } }; elements?: { text?: { content?: unknown } }[] };
}

export function readMessage(body: string): Shown | undefined {
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
  const post = Object.values(content?.post ?? {})[0];
  if (!post) return undefined;
  const text = (post.content ?? [])
    .map((line) => line.map((part) => String(part.text ?? '')).join(''))
    .join('\n');
  return { title: String(post.title ?? ''), text };
}

function readCard(card: Robots['card']): Shown | undefined {
  if (!card) return undefined;
  const text = (card.elements ?? []).map((one) => String(one.text?.content ?? '')).join('\n');
  return { title: String(card.header?.title?.content ?? ''), text };
}
