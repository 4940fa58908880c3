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
