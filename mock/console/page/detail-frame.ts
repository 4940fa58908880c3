import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What is looked at in detail; its heading gets the focus, so that a screen reader goes on there. */
export function DetailFrame({
  title,
  back,
  children,
}: {
  title: string;
  back: string;
  children: ComponentChildren;
}): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return html`<section class="detail card" aria-label=${title}>
    <p class="close"><a href="#${back}">Close</a></p>
    <h2 tabindex="-1" ref=${heading}>${title}</h2>
    ${children}
  </section>`;
}
