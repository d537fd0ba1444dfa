import { DEV_PATHS } from './layout.ts';
import { BARS } from './problems.ts';

/**
 * The script of the development server, for browsers. It filters the gallery on input, reloads the page after a
 * build, and shows the diagnostics of a build that failed. Every page works without it.
 *
 * Messages from the server, as JSON: `{"type":"built","build":N}` and `{"type":"problems","build":N,"text":"…","html":"…"}`, where
 * the number is that of what its pages show. It sends the last one on connection.
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

  // A colour picker beside each colour. The text keeps any CSS syntax; it changes only when another colour is picked.
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const hexOf = (text) => {
    if (!CSS.supports('color', text)) return undefined;
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return '#' + [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  for (const input of document.querySelectorAll('[data-colour]')) {
    const picker = document.createElement('input');
    picker.type = 'color';
    picker.setAttribute('aria-label', input.dataset.colour + ': pick');
    const follow = () => {
      const hex = hexOf(input.value.trim());
      picker.classList.toggle('none', hex === undefined);
      picker.value = hex ?? '#808080';
    };
    input.addEventListener('input', follow);
    picker.addEventListener('input', () => {
      input.value = picker.value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    follow();
    input.after(picker);
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

  /** A line at the foot of the page, one of each kind, with a button. */
  const bars = {};
  const bar = (kind, text, label, action) => {
    bars[kind]?.remove();
    const element = document.createElement('div');
    element.className = 'bar' + (kind === 'old' ? '' : ' bad');
    element.setAttribute('role', 'status');
    const about = document.createElement('p');
    about.textContent = text;
    const button = document.createElement('button');
    button.className = 'quiet';
    button.textContent = label;
    button.addEventListener('click', action);
    element.append(about, button);
    document.body.append(element);
    bars[kind] = element;
  };
  const unbar = (kind) => {
    bars[kind]?.remove();
    delete bars[kind];
  };

  // Browsers restore the scroll position.
  const reload = () => {
    if (!hasInput) location.reload();
    else bar('old', ${JSON.stringify(BARS.old)}, 'Reload', () => location.reload());
  };

  let overlay;
  const hide = () => {
    overlay?.remove();
    overlay = undefined;
  };
  const bottom = ({ bar: text, html }) => bar('problems', text, 'Show the errors', () => show({ bar: text, html }));
  const show = (message) => {
    hide();
    unbar('problems');
    overlay = document.createElement('dialog');
    overlay.className = 'overlay';
    overlay.setAttribute('aria-labelledby', 'overlay-title');
    overlay.innerHTML = message.html; // escaped by the server
    const close = document.createElement('button');
    close.textContent = 'Close';
    const dismiss = () => {
      if (overlay === undefined) return;
      hide();
      bottom(message);
    };
    close.addEventListener('click', dismiss);
    overlay.addEventListener('close', dismiss);
    overlay.append(close);
    document.body.append(overlay);
    overlay.showModal();
  };

  const receive = ({ data }) => {
    const message = JSON.parse(data);
    if (String(message.build) !== build) reload();
    if (message.type === 'built') {
      hide();
      unbar('problems');
    } else if (String(message.build) === build || hasInput) {
      const shownText = document.querySelector('[data-problems] pre')?.textContent;
      if (message.text.trimEnd() === shownText) bottom(message); // which may be above what is in view
      else show(message);
    }
  };

  // Opens a place without leaving the page, and reports why it cannot be opened.
  document.addEventListener('submit', async (event) => {
    if (!event.target.matches('[data-open]')) return;
    event.preventDefault();
    unbar('editor');
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    const response = await fetch(event.target.action, { method: 'POST', body, headers: { Accept: 'application/json' } });
    if (response.ok) return;
    const { detail } = await response.json();
    hide();
    bar('editor', detail, 'Close', () => unbar('editor'));
  });

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
