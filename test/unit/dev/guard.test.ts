import { describe, expect, test } from 'vitest';
import { isLoopback, isOwnHost } from '../../../src/commands/dev/guard.ts';

describe('without --listen', () => {
  test.each([
    ['127.0.0.1:8080', 8080, true],
    ['localhost:8080', 8080, true],
    ['127.0.0.1', 80, true], // browsers omit the default port
    ['localhost', 80, true],
    ['127.0.0.1', 8080, false],
    ['127.0.0.1:8081', 8080, false],
    ['10.0.0.1:8080', 8080, false],
    ['themes.example', 80, false],
    [undefined, 80, false],
  ] as const)('accepts %s for the server on port %d: %s', (host, port, expected) => {
    expect(isOwnHost(host, port)).toBe(expected);
  });
});

describe('with --listen', () => {
  test.each([
    // Names can be rebound, addresses cannot. Ports may be mapped.
    ['10.0.0.1:9000', '0.0.0.0', true],
    ['[fd00::1]:8080', '::', true],
    ['localhost:9000', '0.0.0.0', true],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.2', '10.0.0.1', false],
    ['box.lan:8080', 'box.lan', true],
    ['BOX.lan:8080', 'box.lan', true],
    ['rebound.example:8080', '0.0.0.0', false],
    ['rebound.example:8080', 'box.lan', false],
    ['10.0.0.1.rebound.example', '0.0.0.0', false],
    ['1', '0.0.0.0', false],
    ['10.0.0.1:8080@rebound.example', '0.0.0.0', false],
    ['', '0.0.0.0', false],
  ])('accepts %s for the server on %s: %s', (header, host, expected) => {
    expect(isOwnHost(header, 8080, host)).toBe(expected);
  });
});

test.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['172.17.0.1', false],
  [undefined, false],
] as const)('recognises %s as this machine: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
