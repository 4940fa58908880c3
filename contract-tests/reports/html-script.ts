/** Browser script: searches and filters requirements, copies texts, opens the requirement in the URL fragment. */
export const script = `
'use strict';
const form = document.querySelector('.filters');
const all = form.querySelector('.all');
const toggle = form.querySelector('.unfold');
const counts = [...document.querySelectorAll('[data-filter]')].map(asButton);
const containers = [...document.querySelectorAll('.group, .cause')];
const sections = [...document.querySelectorAll('[data-shows]')];
const beside = [...document.querySelectorAll('.beside, .attention')];
const requirements = [...document.querySelectorAll('.requirement')].map((element) => ({
  element,
  kinds: [element.closest('.group').dataset.verdict, element.dataset.also],
  text: element.textContent.toLowerCase(),
}));

function asButton(link) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = link.className;
  button.dataset.filter = link.dataset.filter;
  button.setAttribute('aria-pressed', 'false');
  button.append(...link.childNodes);
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(!isPressed(button)));
    show();
    if (isPressed(button)) form.scrollIntoView();
  });
  link.replaceWith(button);
  return button;
}

function isPressed(button) {
  return button.getAttribute('aria-pressed') === 'true';
}

function show() {
  const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const wanted = counts.filter(isPressed).map((button) => button.dataset.filter);
  const isNarrowed = wanted.length + words.length > 0;
  let shown = 0;
  for (const { element, kinds, text } of requirements) {
    const isKind = wanted.length === 0 || kinds.some((kind) => wanted.includes(kind));
    element.hidden = !isKind || !words.every((word) => text.includes(word));
    if (!element.hidden) shown += 1;
  }
  for (const one of containers) one.hidden = !one.querySelector('.requirement:not([hidden])');
  for (const one of sections) one.hidden = isNarrowed && !wanted.includes(one.dataset.shows);
  for (const one of beside) one.hidden = isNarrowed;
  if (isNarrowed) for (const one of containers) if (one.matches('details')) one.open = true;
  all.hidden = !isNarrowed;
  form.querySelector('.shown').textContent = shown + ' of ' + requirements.length + ' requirements shown';
}

function showAll() {
  form.elements.text.value = '';
  for (const button of counts) button.setAttribute('aria-pressed', 'false');
  show();
}

function toggleAll() {
  const isCollapsed = toggle.textContent === 'Expand all';
  for (const details of document.querySelectorAll('main details')) details.open = isCollapsed;
  toggle.textContent = isCollapsed ? 'Collapse all' : 'Expand all';
}

function offerToCopy(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const block = figure.querySelector('pre');
    try {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(block);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  figure.querySelector('figcaption').append(' ', button);
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]')) showAll();
  for (let element = target; element; element = element.parentElement)
    if (element.matches('details')) element.open = true;
  if (target) target.scrollIntoView();
}

if (requirements.length > 0) {
  form.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  all.addEventListener('click', showAll);
  toggle.addEventListener('click', toggleAll);
  show();
}
for (const figure of document.querySelectorAll('.copy')) offerToCopy(figure);
addEventListener('hashchange', openTarget);
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
openTarget();
`;
