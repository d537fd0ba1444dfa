/** The script of every page of `themecast dev`: it refreshes the page and sends its forms. Pages are readable without it. */

function meta(name: string): HTMLMetaElement | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="themecast-${name}"]`);
}
const build = meta('build');
const status = document.body.appendChild(document.createElement('p'));
status.className = 'toast';
status.setAttribute('role', 'status');

let end: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a message, also to screen readers, long enough to read it, and while the pointer or the focus is on it.
 * @param label - the label of a button for the action
 */
export function say(text: string, label = '', action = (): void => say('')): void {
  const button = document.createElement('button');
  button.textContent = label;
  button.addEventListener('click', action);
  status.replaceChildren(text, ...(label === '' ? [] : [button]));
  status.classList.toggle('shown', text !== '');
  const finish = (): void => {
    clearTimeout(end);
    end = setTimeout(() => (status.matches(':hover, :focus-within') ? finish() : say('')), 4000 + 50 * text.length);
  };
  if (text !== '') finish();
}

/** Whether a part has unsaved input, and must not be replaced. */
function hasInput(part: Element): boolean {
  const inputs = part.querySelectorAll<HTMLInputElement>('input:not([type="file"], [type="radio"], [type="hidden"])');
  return (
    [...inputs].some(({ value, defaultValue }) => value !== defaultValue) ||
    part.querySelector('[aria-invalid]') !== null
  );
}

/** The HTML of each part from the server, to detect changes: scripts and users modify the part on the page. */
const serverHtml = new Map([...document.querySelectorAll('[data-part]')].map(({ id, outerHTML }) => [id, outerHTML]));

/** Replaces a part. An old style sheet stays until the new one is loaded, so that the page is never unstyled. */
function replace(part: Element, next: Element): void {
  serverHtml.set(next.id, next.outerHTML);
  if (!(part instanceof HTMLLinkElement)) return part.replaceWith(next);
  part.removeAttribute('data-part');
  next.addEventListener('load', () => part.remove());
  part.after(next);
}

let currentUrl = location.href;

/** Updates the page part by part, without moving the focus or losing input. */
export async function refresh(url = currentUrl): Promise<void> {
  currentUrl = url;
  const response = await fetch(url, { headers: { Accept: 'text/html' } });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (url !== currentUrl) return; // a later refresh is in progress
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll('[data-part]')) {
    const replacement = next.getElementById(part.id);
    if (replacement === null) location.reload();
    else if (part.querySelector('img[src^="blob:"]') !== null) replace(part, replacement);
    else if (!hasInput(part) && serverHtml.get(part.id) !== replacement.outerHTML) replace(part, replacement);
  }
  const focus = focused === undefined || focused === '' ? null : document.getElementById(focused);
  if (focus !== null && focus !== document.activeElement) focus.focus({ preventScroll: true });
  const now = next.querySelector<HTMLMetaElement>('meta[name="themecast-build"]');
  if (build !== null && now !== null) build.content = now.content;
}

/** Sends changes one after another, because each needs the digest of the file after the previous one. A failure does not stop the next. */
let lastChange: Promise<void> = Promise.resolve();
let waiting = 0;
export function inTurn(change: () => Promise<void>): void {
  const previous = lastChange;
  document.body.ariaBusy = String(++waiting > 0);
  lastChange = (async () => {
    await previous;
    try {
      await change();
    } catch {
      say('Not saved: the server does not respond');
    }
    document.body.ariaBusy = String(--waiting > 0);
  })();
}

const PROBLEMS = 'The themes have errors';
async function receive(message: { type: 'built' | 'problems'; build: number }): Promise<void> {
  // After its own changes, the page refreshes itself.
  await lastChange;
  if (String(message.build) === build?.content) return;
  if (document.querySelector('main [data-part]') === null) return location.reload();
  await refresh();
  if (message.type === 'problems') say(PROBLEMS);
  else if (status.textContent === PROBLEMS) say('');
}

/** Only visible tabs listen: browsers open at most six connections to a server (HTTP/1.1). */
let events: EventSource | undefined;
function listen(): void {
  events?.close();
  if (document.hidden || build === null) return;
  events = new EventSource('/__themecast/events');
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    void receive(JSON.parse(data) as Parameters<typeof receive>[0]);
  });
}
document.addEventListener('visibilitychange', listen);
listen();

/** A form that refreshes the page while the user types. */
const liveForm = document.querySelector<HTMLFormElement>('[data-live]');
let wait: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('input', ({ target }) => {
  if (
    liveForm === null ||
    !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) ||
    target.form !== liveForm
  )
    return;
  clearTimeout(wait);
  wait = setTimeout(() => void update(liveForm), 100);
});
async function update(form: HTMLFormElement): Promise<void> {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') url.searchParams.set(name, value);
  history.replaceState(null, '', url);
  await refresh(url.href);
  form.dispatchEvent(new Event('shown'));
}

type Reply = Record<string, string | string[]>;

/**
 * Sends a change, and shows errors at the responsible controls.
 * @param use - receives the reply
 * @returns whether the change was made
 */
export async function send(action: string, form: FormData, use?: (reply: Reply) => void): Promise<boolean> {
  const response = await fetch(action, {
    method: 'POST',
    body: form,
    headers: { 'X-Themecast-Token': meta('token')?.content ?? '' },
  });
  const reply = (await response.json()) as Reply;
  if (typeof reply['location'] === 'string') {
    location.assign(reply['location']);
    return new Promise(() => undefined); // the browser leaves this page
  }
  if (response.ok) {
    use?.(reply);
    return true;
  }
  const { detail } = reply;
  if (typeof detail !== 'string')
    for (const [field, messages] of Object.entries(reply)) showError(field, plain([messages].flat().join(' ')));
  else if (response.status === 409 && action.endsWith('edit')) say(plain(detail), 'Reload', () => location.reload());
  else say(plain(detail), 'Close');
  return false;
}

/** Removes the backticks of a message. */
function plain(message: string): string {
  return message.replaceAll('`', '');
}

export function inputsOf(name: string): (HTMLInputElement | HTMLSelectElement)[] {
  return [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(`main [name="${CSS.escape(name)}"]`)];
}

/** Shows a message at its control, whose value stays. */
function showError(field: string, message: string): void {
  const place = document.querySelector(`[data-error="${CSS.escape(field)}"]`);
  if (place === null) return say(message, 'Close');
  say('Not saved');
  place.textContent = message;
  const inputs = inputsOf(field).filter((input) => input.type !== 'file');
  // Marks only the changed one of the nine colours.
  const changed = inputs.filter((input) => input instanceof HTMLInputElement && input.value !== input.defaultValue);
  for (const input of changed.length > 0 ? changed : inputs) input.setAttribute('aria-invalid', 'true');
}

export function clearErrors(within: ParentNode, field = ''): void {
  const named = field === '' ? '' : `="${CSS.escape(field)}"`;
  for (const place of within.querySelectorAll(`[data-error${named}]`)) place.replaceChildren();
  for (const input of within.querySelectorAll(`[name${named}]`)) input.removeAttribute('aria-invalid');
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-send]')) return;
  event.preventDefault();
  // A second press while the first is sent would do it twice.
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  inTurn(async () => {
    clearErrors(form);
    let done = form.dataset['send'] ?? '';
    const keep = (reply: Reply): void => void (typeof reply['message'] === 'string' && (done = reply['message']));
    const isDone = await send(form.action, new FormData(form), keep).finally(() => (form.ariaBusy = 'false'));
    if (!isDone) return;
    form.reset();
    await refresh();
    say(done);
  });
});
