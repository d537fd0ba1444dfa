import { expect, test } from 'vitest';
import { editorCommand, parsePlace } from '../../../src/dev/editor.ts';

const PLACE = { file: '/site/themes/a b/--help; rm -rf $(x).yaml', line: 3, column: 7 };
const { file } = PLACE;

test.each([
  [{}, ['code', '-g', `${file}:3:7`]],
  [{ EDITOR: 'subl' }, ['subl', `${file}:3:7`]],
  [{ EDITOR: 'code --wait' }, ['code', '--wait', '-g', `${file}:3:7`]],
  [{ VISUAL: 'gedit', EDITOR: 'subl' }, ['gedit', '+3', file]],
  [{ LAUNCH_EDITOR: 'webstorm', VISUAL: 'gedit' }, ['webstorm', '--line', '3', '--column', '7', file]],
  [{ LAUNCH_EDITOR: '"/opt/My Editor/edit" -n' }, ['/opt/My Editor/edit', '-n', file]],
  [{ EDITOR: 'emacsclient -n' }, ['emacsclient', '-n', '+3:7', file]],
  // The terminal is in use by the server.
  [{ EDITOR: 'vim' }, ['code', '-g', `${file}:3:7`]],
  [{ VISUAL: '/usr/bin/nvim -p', EDITOR: 'kate' }, ['kate', '--line', '3', '--column', '7', file]],
  [{ LAUNCH_EDITOR: ' ', EDITOR: '' }, ['code', '-g', `${file}:3:7`]],
])('opens a file with %j', (env, command) => {
  expect(editorCommand(env, PLACE)).toEqual(command);
});

test.each([
  ['3:1:themes/a.yaml', { line: 3, column: 1, file: 'themes/a.yaml' }],
  ['1:1:themes/a:9:9', { line: 1, column: 1, file: 'themes/a:9:9' }],
  ['1:1:', undefined],
  ['-g:1:x', undefined],
  ['12345678:1:x', undefined],
  ['themes/a.yaml', undefined],
])('reads the place %j', (text, place) => {
  expect(parsePlace(text)).toEqual(place);
});
