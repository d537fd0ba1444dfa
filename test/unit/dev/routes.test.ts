import { expect, test } from 'vitest';
import { isOwnHost } from '../../../src/dev/guard.ts';

test.each([
  ['127.0.0.1:8080', 8080, true],
  ['localhost:8080', 8080, true],
  ['127.0.0.1', 80, true], // browsers omit the default port
  ['localhost', 80, true],
  ['127.0.0.1', 8080, false],
  ['127.0.0.1:8081', 8080, false],
  ['themes.example', 80, false],
  [undefined, 80, false],
] as const)('%s is the server on port %d: %s', (host, port, expected) => {
  expect(isOwnHost(host, port)).toBe(expected);
});
