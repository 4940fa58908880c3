// A message as the chat would show it: bubble, title, lines.
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { readChatMessage } from './read-chat-message.ts';

export function ChatMessage({ text }: { text: string }): VNode | null {
  const shown = readChatMessage(text);
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
