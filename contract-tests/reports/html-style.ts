/** One column, in the light or dark theme of the reader's system. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --ink: #1d2125; --soft: #5b646d; --line: #dfe2e4; --box: #f1f2f2;
  --bad: #b3261e; --bad-soft: #fbeae8; --warn: #855300; --warn-soft: #fbf1dd; --good: #1c6b3a; --good-soft: #e6f3ea;
  --error: #7b2d8b; --error-soft: #f5e9f8; --link: #1a5fb4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16191c; --card: #1e2226; --ink: #e6e8ea; --soft: #a3acb4; --line: #343a40; --box: #15181b;
    --bad: #ff8a80; --bad-soft: #3a1f1d; --warn: #f0bb62; --warn-soft: #35290f; --good: #7dd197; --good-soft: #1a3021;
    --error: #dba2e8; --error-soft: #33203a; --link: #8ab9f5;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.25rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%;
}
code, pre, .evidence dd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
.any, td, th, code { overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }

.kicker { margin: 0; color: var(--soft); font-size: .875rem; }
h1 { margin: .1rem 0 1rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h1.bad { color: var(--bad); } h1.good { color: var(--good); } h1.unsure { color: var(--warn); }
.aborted { padding: .75rem 1rem; background: var(--warn-soft); border-radius: 8px; overflow-wrap: anywhere; }
.lead { margin: 0 0 1rem; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(5rem, 1fr)); gap: .4rem; margin: 0 0 1rem; }
.count {
  display: grid; align-content: start; min-height: 3.2rem; padding: .35rem .5rem; color: var(--tone, var(--ink)); background: var(--card); text-align: left;
  text-decoration: none; border: 1px solid var(--line); border-radius: 8px; font: inherit; font-size: .8rem; line-height: 1.25;
}
.count b { display: block; font-size: 1.35rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.count span { display: block; }
.count span span { display: inline; }
.count:hover { border-color: currentColor; }
.count.none { color: var(--soft); background: none; border-style: dashed; }
.count.none:hover { border-color: var(--line); }
.count[aria-pressed=true] { background: var(--tone-soft); border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor; }
.failed { --tone: var(--bad); --tone-soft: var(--bad-soft); }
.error { --tone: var(--error); --tone-soft: var(--error-soft); }
.expected, .drift, .remarks { --tone: var(--warn); --tone-soft: var(--warn-soft); }
.partly { --tone: var(--link); --tone-soft: var(--box); }
.not-verified, .not-observed, .not-applicable { --tone: var(--soft); --tone-soft: var(--box); }
.passed, .agrees { --tone: var(--good); --tone-soft: var(--good-soft); }
.facts { display: grid; gap: .25rem; margin: 0; font-size: .875rem; }
.facts div { display: flex; gap: .4rem; min-width: 0; }
.facts dt { flex: none; width: 4.5rem; color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }

h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; line-height: 1.3; }
.number { margin-left: .25rem; color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
.note { margin: -.4rem 0 .75rem; color: var(--soft); font-size: .875rem; }
.attention { margin-top: 1.5rem; padding: .9rem 1rem; background: var(--bad-soft); border-radius: 8px; }
.attention h2 { margin: 0 0 .4rem; color: var(--bad); }
.attention ul, .leftovers { margin: 0; padding-left: 1.1rem; font-size: .9rem; }

.first { margin: 0 0 1rem; padding: .7rem .9rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 8px; }
.first h2 { margin: 0; font-size: 1rem; }
.first h2 a { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.first h2 a:hover { text-decoration: underline; }
.first dd { font-size: .8rem; }

.top { display: grid; gap: 0 2rem; }
.summary h3 { margin: 1rem 0 .3rem; font-size: .95rem; }
.summary p { margin: 0 0 .5rem; }
.summary ul { margin: 0; padding: 0; list-style: none; }
.broken > li { padding: .5rem 0 .5rem .8rem; border-left: 3px solid var(--bad); }
.broken > li + li { margin-top: .5rem; }
.broken > li > b { display: inline-block; }
.broken > li > b::first-letter { text-transform: uppercase; }
.broken ul { margin-top: .2rem; color: var(--soft); font-size: .875rem; }
.by-section ul { margin: 0; padding: 0; list-style: none; font-size: .875rem; }
.by-section li { display: grid; gap: .15rem; margin-bottom: .7rem; }
.by-section .heading { font-weight: 600; }
.by-section .said { color: var(--soft); }
.bar { display: block; width: 100%; height: .6rem; border-radius: 99px; background: var(--line); }
.bar rect { fill: var(--tone); }
@media (min-width: 60rem) { .top { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }

.filters {
  display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: 1.75rem; padding: .6rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; font-size: .875rem; scroll-margin-top: .5rem;
}
.search { flex: 1 1 14rem; min-width: 0; }
.search input {
  width: 100%; min-height: 2.5rem; padding: .4rem .6rem; color: inherit; background: var(--page);
  border: 1px solid var(--line); border-radius: 6px; font: inherit; font-size: 1rem;
}
.filters button { min-height: 2.5rem; }
.shown { flex-basis: 100%; margin: 0; color: var(--soft); }

.requirement, .gaps { background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.requirement + .requirement, .gaps + .gaps { margin-top: .4rem; }
.requirement.failed, .requirement.error { border-left: 4px solid var(--tone); }
summary { padding: .55rem .8rem; cursor: pointer; border-radius: 8px; }
summary:hover { background: var(--box); }
.badge {
  padding: .1rem .5rem; color: var(--tone); background: var(--tone-soft); border-radius: 99px;
  font-size: .78rem; font-weight: 600; white-space: nowrap;
}
.id { margin: 0 .35rem; font-weight: 600; white-space: nowrap; }
summary .why { display: block; padding-left: 1rem; }
.cause + .cause { margin-top: .8rem; }
.cause > summary { padding: .35rem .2rem; }
.cause > summary .why { display: inline; padding: 0; color: inherit; font-size: .95rem; }
.why { margin: .15rem 0 0; color: var(--soft); font-size: .875rem; }
.body { padding: 0 .8rem .8rem; }
.place { margin: 0 0 .5rem; color: var(--soft); font-size: .875rem; }
.check { padding: .5rem 0; border-top: 1px solid var(--line); }
.check h3 { margin: 0; font-size: .95rem; font-weight: 600; line-height: 1.4; }
.check .mark, .check .word { color: var(--tone); }
.check .word { font-size: .78rem; font-weight: 400; }
details.check { padding: 0; }
.check summary { padding: .45rem .2rem; font-size: .95rem; font-weight: 600; }
blockquote { margin: 0 0 .4rem; padding: .1rem 0 .1rem .8rem; border-left: 3px solid var(--line); font-style: italic; white-space: pre-line; }
.more > summary { padding: .3rem 0; color: var(--soft); font-size: .875rem; }
.evidence { display: grid; gap: .5rem; margin: .5rem 0 0; }
.evidence > div { min-width: 0; }
.evidence dt { color: var(--soft); font-size: .8rem; }
.evidence dd { margin: 0; white-space: pre-wrap; }
.evidence .expected, .evidence .actual { padding: .35rem .6rem; background: var(--box); border-left: 3px solid var(--good); border-radius: 0 6px 6px 0; }
.evidence .actual { border-left-color: var(--bad); }
.evidence .long { max-height: 11rem; overflow: auto; }
@media (min-width: 48rem) {
  .evidence { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .evidence > div { grid-column: 1 / -1; }
  .evidence > .expected, .evidence > .actual { grid-column: auto; }
}
.timeline { margin: .2rem 0 0; padding: 0; list-style: none; white-space: normal; }
.timeline li { position: relative; display: grid; grid-template-columns: 4.5rem 1rem minmax(0, 1fr); gap: .4rem; line-height: 1.4; }
.timeline .moment { text-align: right; font-variant-numeric: tabular-nums; }
.timeline .dot { color: var(--bad); text-align: center; }
.timeline li + li::before { position: absolute; top: .1rem; left: calc(5.4rem - 1px); border-left: 2px solid var(--soft); content: ""; }
.after-0 { padding-top: .3rem; } .after-1 { padding-top: .9rem; } .after-2 { padding-top: 1.5rem; } .after-3 { padding-top: 2.1rem; }
.after-4 { padding-top: 2.7rem; } .after-5 { padding-top: 3.3rem; } .after-6 { padding-top: 4rem; }
.timeline li:first-child { padding-top: 0; }
.after-0::before { height: .2rem; } .after-1::before { height: .8rem; } .after-2::before { height: 1.4rem; } .after-3::before { height: 2rem; }
.after-4::before { height: 2.6rem; } .after-5::before { height: 3.2rem; } .after-6::before { height: 3.9rem; }
.copy { margin: .6rem 0 0; }
figcaption { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between; color: var(--soft); font-size: .8rem; }
button {
  min-height: 1.9rem; padding: .15rem .7rem; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; font: inherit; cursor: pointer;
}
button:hover { border-color: currentColor; }
pre {
  max-height: 16rem; margin: .25rem 0 0; padding: .6rem .7rem; overflow: auto; background: var(--box);
  border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere;
}
pre code { font-size: inherit; }

.scroll { position: relative; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .4rem .8rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 400; border-top: 0; }
tbody th { font-weight: 600; }
.gaps thead th { border-top: 1px solid var(--line); }
.gaps table { table-layout: fixed; }
.gaps summary span { color: var(--tone); font-weight: 600; }
small { color: var(--soft); }
.matrix { width: auto; min-width: 100%; }
.matrix th, .matrix td { white-space: nowrap; overflow-wrap: normal; }
.matrix td { color: var(--good); }
.matrix td:nth-child(2) { color: inherit; font-variant-numeric: tabular-nums; }
.matrix tr.never th, .matrix tr.never td { color: var(--soft); font-weight: 400; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

@media (max-width: 40rem) {
  .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked tr { display: block; padding: .5rem .8rem; border-top: 1px solid var(--line); }
  .stacked th, .stacked td { display: block; padding: 0; border: 0; }
  .stacked td::before { content: attr(data-label) ": "; color: var(--soft); }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --box: #fff;
    --bad: #9b1c15; --bad-soft: #fff; --warn: #6b4200; --warn-soft: #fff; --good: #14522c; --good-soft: #fff;
    --error: #632271; --error-soft: #fff; --link: #103f78;
  }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .filters, figure button { display: none; }
  pre, .evidence .long { max-height: none; overflow: visible; }
  .scroll { overflow: visible; }
  .matrix th, .matrix td { white-space: normal; overflow-wrap: anywhere; }
  .bar { print-color-adjust: exact; }
  .check, .first, .broken > li, tr { break-inside: avoid-page; }
  h2, h3, summary { break-after: avoid-page; }
  a { text-decoration: none; overflow-wrap: anywhere; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
