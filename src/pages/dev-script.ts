import { DEV_PATHS } from './layout.ts';
import { PROBLEMS } from './problems.ts';

/**
 * The script of the development server, for browsers. It filters the gallery on input, reloads the page after a
 * build, and shows the diagnostics of a build that failed. Every page works without it.
 *
 * Messages from the server, as JSON: `{"type":"built","build":N}` and `{"type":"problems","text":"…"}`. It sends the last one on connection.
 */
export const DEV_SCRIPT = `'use strict';
(() => {
  const input = document.querySelector('[data-filter-input]');
  if (input) {
    const cards = [...document.querySelectorAll('[data-filter]')];
    const shown = document.querySelector('[data-filter-count]');
    const filter = () => {
      const words = input.value.toLowerCase().split(/\\s+/);
      let count = 0;
      for (const card of cards) {
        card.hidden = !words.every((word) => card.dataset.filter.includes(word));
        if (!card.hidden) count += 1;
      }
      shown.textContent = count;
      // The server responds to this URL with the same cards.
      const query = input.value === '' ? '' : '?q=' + encodeURIComponent(input.value);
      history.replaceState(null, '', location.pathname + query + location.hash);
    };
    input.addEventListener('input', filter);
    input.form.addEventListener('submit', (event) => {
      event.preventDefault();
      filter();
    });
  }

  const build = document.querySelector('meta[name="themecast-build"]')?.content;
  if (build === undefined) return;

  // The page of a new theme is the response to a POST: a reload would submit it again.
  const own = document.querySelector('link[rel="canonical"]')?.href;
  if (own !== undefined && new URL(own).pathname !== location.pathname) history.replaceState(null, '', own);

  // A reload must not discard unsaved input.
  let hasInput = document.querySelector('[data-given]') !== null;
  document.addEventListener('input', ({ target }) => {
    if (target.form?.method === 'post') hasInput = true;
  });

  // Browsers restore the scroll position.
  const reload = () => {
    if (!hasInput) location.reload();
  };

  let overlay;
  const hide = () => {
    overlay?.remove();
    overlay = undefined;
  };
  const show = (text) => {
    hide();
    overlay = document.createElement('dialog');
    overlay.className = 'overlay';
    overlay.setAttribute('aria-labelledby', 'overlay-title');
    const title = document.createElement('h2');
    title.id = 'overlay-title';
    title.textContent = ${JSON.stringify(PROBLEMS.title)};
    const about = document.createElement('p');
    about.textContent = build === '0' ? ${JSON.stringify(PROBLEMS.aboutNothing)} : ${JSON.stringify(PROBLEMS.about)};
    const diagnostics = document.createElement('pre');
    diagnostics.className = 'diagnostics';
    diagnostics.tabIndex = 0;
    diagnostics.textContent = text;
    const close = document.createElement('button');
    close.textContent = 'Close';
    close.addEventListener('click', hide);
    overlay.addEventListener('close', hide);
    overlay.append(title, about, diagnostics, close);
    document.body.append(overlay);
    overlay.showModal();
  };

  const receive = ({ data }) => {
    const message = JSON.parse(data);
    const shownText = document.querySelector('[data-problems] pre')?.textContent;
    if (message.type === 'problems' && message.text.trimEnd() !== shownText) show(message.text);
    if (message.type === 'built') {
      hide();
      if (String(message.build) !== build) reload();
    }
  };

  // Browsers open six connections to a server (HTTP/1.1): hidden tabs must not use them all.
  let events;
  const listen = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource(${JSON.stringify(DEV_PATHS.events)});
    events.addEventListener('message', receive);
  };
  document.addEventListener('visibilitychange', listen);
  listen();
})();
`;
