import { html } from 'htm/preact';
import { readChatMessage } from './read-chat-message.ts';

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
