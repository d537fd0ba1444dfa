/** The script of the editor: it previews input at once, and saves changes. */
import { clearErrors, inputsOf, inTurn, refresh, say, send } from './page.ts';
import { fitSoon, previewOf } from './stage.ts';

const editor = document.querySelector<HTMLElement>('[data-editor]');

/** Saves a field. @param done - the message afterwards */
function save(field: string, values: readonly (string | File)[], done: string): void {
  inTurn(async () => {
    const form = new FormData();
    form.set('hash', document.querySelector<HTMLElement>('[data-hash]')?.dataset['hash'] ?? '');
    for (const value of values) form.append(field, value);
    clearErrors(document, field === 'palette_from' ? 'palette_preview' : field);
    let message = done;
    const isSaved = await send('edit', form, (reply) => {
      if (typeof reply['message'] === 'string') message = reply['message'];
    });
    if (!isSaved) return;
    for (const input of inputsOf(field)) if (input instanceof HTMLInputElement) input.defaultValue = input.value;
    await refresh();
    say(message, 'Undo', () => document.getElementById('undo')?.click());
  });
}

/** @param mode - of the screens to change; empty for both */
function setVariable(name: string, value: string, mode = ''): void {
  for (const screen of previewOf(mode === '' ? '.screen' : `.screen.${mode}`)) screen.style.setProperty(name, value);
  fitSoon();
}

/** Shows an image from the browser until the server has it. */
function showFile(field: string, file: File): void {
  const url = URL.createObjectURL(file);
  for (const image of document.querySelectorAll<HTMLImageElement>(
    `:is(#preview, main section) img[data-field~="${CSS.escape(field)}"]`,
  ))
    image.src = url;
}

function chooseFile(field: string, file: File, label: string): void {
  showFile(field, file);
  save(field, [file], `${label}: ${file.name}`);
}

function changed(input: HTMLInputElement | HTMLSelectElement): void {
  const { name } = input;
  const label = input.dataset['label'] ?? name;
  if (input instanceof HTMLInputElement && input.type === 'file') {
    const [file] = input.files ?? [];
    if (file !== undefined) chooseFile(name, file, label);
    return;
  }
  if (input instanceof HTMLInputElement && input.value === input.defaultValue) return;
  const done =
    input instanceof HTMLInputElement
      ? `${label}: ${input.defaultValue} → ${input.value}`
      : `${label}: ${input.selectedOptions[0]?.text}`;
  save(name, name.startsWith('palette_') ? inputsOf(name).map(({ value }) => value) : [input.value], done);
}

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const { variable, picks } = target.dataset;
  const text = picks === undefined ? null : document.getElementById(picks);
  if (text instanceof HTMLInputElement) text.value = target.value;
  const name = variable ?? text?.dataset['variable'];
  const { mode } = (text ?? target).dataset;
  if (name !== undefined && target.validity.valid)
    setVariable(name, target.type === 'number' ? `${target.value}px` : target.value, mode);
});

if (editor !== null) {
  editor.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const picked = target.dataset['picks'];
    const input = picked === undefined ? target : document.getElementById(picked);
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement)) return;
    if (input.dataset['label'] !== undefined) changed(input);
  });
  editor.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const { remove, palette, fill, accept, set, label = '' } = button?.dataset ?? {};
    if (set !== undefined) save(set, [button?.value ?? ''], 'Image replaced');
    if (remove !== undefined) save(remove, [''], `${label}: inherited`);
    const light = (): string[] => inputsOf('palette_preview').map(({ value }) => value);
    if (fill !== undefined) save(fill, light(), 'Dark colours filled');
    if (accept !== undefined) save('accepted', [accept], 'Warning ignored');
    const colour = document.querySelector<HTMLInputElement>('[data-one-colour]');
    if (palette !== undefined)
      save('palette_from', [palette === 'logo' ? palette : (colour?.value ?? '')], 'Nine colours replaced');
  });
  for (const type of ['dragover', 'dragleave', 'drop'] as const)
    editor.addEventListener(type, (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drop]') : null;
      if (row === null) return;
      event.preventDefault();
      row.classList.toggle('drop', type === 'dragover');
      const [file] = event.dataTransfer?.files ?? [];
      if (type === 'drop' && file !== undefined)
        chooseFile(row.dataset['drop'] ?? '', file, row.dataset['label'] ?? '');
    });
}

// The form of a new theme shows the chosen logo at once.
const newForm = document.querySelector<HTMLFormElement>('form.new');
newForm?.addEventListener('change', ({ target }) => {
  const [file] = (target instanceof HTMLInputElement && target.files) || [];
  const [name, palette] = ['name', 'palette'].map((field) => newForm.elements.namedItem(field));
  if (file === undefined || !(name instanceof HTMLInputElement && palette instanceof HTMLInputElement)) return;
  const words = file.name.replace(/\.[^.]*$/, '').replaceAll(/[-_.]+/g, ' ');
  if (name.value === '') name.value = words.charAt(0).toUpperCase() + words.slice(1);
  inTurn(async () => {
    const form = new FormData();
    form.set('logo', file);
    clearErrors(newForm, 'logo');
    const isRead = await send(`${newForm.action}/colours`, form, (reply) => {
      palette.value = [reply['palette']].flat().join(' ');
      palette.dataset['fields'] = [reply['fields']].flat().join(' ');
    });
    if (!isRead) palette.value = '';
    palette.dispatchEvent(new Event('input', { bubbles: true }));
  });
});
newForm?.addEventListener('shown', () => {
  const logo = new FormData(newForm).get('logo');
  const palette = newForm.elements.namedItem('palette');
  if (!(logo instanceof File && palette instanceof HTMLInputElement)) return;
  for (const field of palette.dataset['fields']?.split(' ') ?? []) showFile(field, logo);
  showFile('favicon', logo);
});
