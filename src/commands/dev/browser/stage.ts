/** The script of the stage: it fits the preview into the window, and links its elements with their settings. */

const stage = document.querySelector<HTMLElement>('.stage');

/** Returns the matching elements of the preview. */
export function previewOf(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#preview :is(${selector})`)];
}

/** Page widths in pixels. On a desktop, a mock page is between NARROW and WIDE, a team's page at least WIDE. */
const [NARROW, WIDE, PHONE] = [600, 1280, 390];

/** Scales a page so that all of it is visible, and its background fills the container. */
function fit(place: HTMLElement): void {
  const { clientWidth, clientHeight, firstElementChild: page } = place;
  if (clientWidth === 0 || !(page instanceof HTMLElement)) return;
  const isPhone = document.querySelector('#width-phone:checked') !== null;
  const isFrame = page instanceof HTMLIFrameElement;
  let width = isPhone ? PHONE : Math.max(isFrame ? WIDE : NARROW, clientWidth);
  let scale = 1;
  page.style.minHeight = '0';
  // A wider page is shorter, and then needs less scaling: three rounds are enough.
  for (let round = 0; round < 3; round++) {
    page.style.width = `${width}px`;
    scale = Math.min(1, clientWidth / width, isFrame ? 1 : clientHeight / page.offsetHeight);
    if (!isPhone) width = Math.max(width, Math.min(WIDE, clientWidth / scale));
  }
  page.style.minHeight = `${clientHeight / scale}px`;
  page.style.transform = `translateX(-50%) scale(${scale})`;
}

let frame = 0;
/** Fits all pages before the next frame. */
export function fitSoon(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => stage?.querySelectorAll<HTMLElement>('.scroll').forEach(fit));
}

/** Outlines the elements of the preview that a field affects. */
function showWhere({ target }: Event): void {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-shows]') : null;
  for (const element of previewOf('[data-field]'))
    element.classList.toggle(
      'hot',
      element.dataset['field']?.split(' ').includes(row?.dataset['shows'] ?? '') === true,
    );
}

/** Opens the setting of an element of the preview. */
function open(field: string): void {
  const colour = /^[cd]\d$/.exec(field)?.[0];
  const chosen = document.getElementById(`chosen-${colour}`);
  if (chosen instanceof HTMLInputElement) chosen.checked = true;
  const control = document.getElementById(`f-${field}`);
  control?.focus({ preventScroll: true });
  control?.closest('.field, .palette-editor')?.scrollIntoView({ block: 'center' });
}

if (stage !== null) {
  // On a phone, there is room for only one mode.
  const light = document.querySelector<HTMLInputElement>('#mode-light');
  if (light !== null && !new URLSearchParams(location.search).has('mode') && innerWidth < 800) light.checked = true;
  new ResizeObserver(fitSoon).observe(stage);
  new MutationObserver(fitSoon).observe(stage, { childList: true, subtree: true });
  // A loaded style sheet of the theme replaces the previewed values.
  const settle = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement)
      for (const { style } of previewOf('.screen'))
        for (const name of [...style].filter((property) => property.startsWith('--'))) style.removeProperty(name);
    fitSoon();
  };
  document.addEventListener('load', settle, true);
  stage.addEventListener('change', fitSoon);
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, showWhere);
  stage.addEventListener('click', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('#preview [data-field]') : null;
    if (element !== null) open(element.dataset['field']?.split(' ')[0] ?? '');
  });
}
