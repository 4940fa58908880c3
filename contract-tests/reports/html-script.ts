/** Searches and filters requirements, copies texts, and opens the requirement in the address. Plain JavaScript for the browser. */
export const script = `
'use strict';
const form = document.querySelector('.filters');
const groups = [...document.querySelectorAll('.group')];
const causes = [...document.querySelectorAll('.cause')];
const requirements = [...document.querySelectorAll('.requirement')]
  .map((element) => ({ element, text: element.textContent.toLowerCase() }));

function show() {
  const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const boxes = [...form.querySelectorAll('[name=verdict]')];
  const wanted = boxes.filter((box) => box.checked).map((box) => box.value);
  let shown = 0;
  for (const { element, text } of requirements) {
    const verdict = element.closest('.group').dataset.verdict;
    element.hidden = !wanted.includes(verdict) || !words.every((word) => text.includes(word));
    if (!element.hidden) shown += 1;
  }
  for (const group of [...groups, ...causes]) group.hidden = !group.querySelector('.requirement:not([hidden])');
  if (words.length > 0) for (const cause of causes) cause.open = true;
  form.querySelector('.shown').textContent = shown + ' of ' + requirements.length + ' requirements shown';
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
  for (let element = target; element; element = element.parentElement)
    if (element.matches('details')) element.open = true;
  if (target) target.scrollIntoView();
}

if (requirements.length > 0) {
  form.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  show();
}
for (const figure of document.querySelectorAll('.copy')) offerToCopy(figure);
addEventListener('hashchange', openTarget);
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
openTarget();
`;
