import { BASE_STYLE } from './base-style.ts';

/**
 * The style sheet of the browsable page. It may have a thousand themes, so those out of view are not laid out: 90rem is
 * about the height of one.
 */
export const PAGE_STYLE = `${BASE_STYLE}
.contents { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1rem; margin-top: .9rem; font-size: .9rem; }
.contents a { display: inline-block; padding: .1rem 0; }

.exchange, .theme { background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.request { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem; padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
.request pre { font-size: .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.formats { list-style: none; display: flex; font-size: .9rem; }
.formats a { display: block; padding: .1rem .8rem; border: 1px solid var(--line); }
.formats li + li a { border-left: 0; }
.formats li:first-child a { border-radius: 6px 0 0 6px; }
.formats li:last-child a { border-radius: 0 6px 6px 0; }
.formats a[aria-current] { background: var(--badge); color: inherit; text-decoration: none; font-weight: 600; }
.head { padding: .85rem 1rem; border-bottom: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; color: var(--soft); }
.head b { color: var(--text); }
summary + * { margin-top: .5rem; }

.theme { padding: 1.25rem; content-visibility: auto; contain-intrinsic-size: auto 90rem; }
.theme + .theme { margin-top: 1.25rem; }
.theme:target { border-color: var(--link); }
.name { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
.name img { flex: none; }
.name h3 { max-width: calc(100% - 2.75rem); }

@media (max-width: 40rem) {
  .theme { padding: 1rem; }
}
`;
