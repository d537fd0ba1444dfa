import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handlerModules, mappingModule, parsed, quoted } from '../../src/edge/modules.ts';
import type { Assignment } from '../../src/mapping/assignments.ts';

describe('quoted', () => {
  it('comes back as it was, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(runInThisContext(quoted(text))).toBe(text);
        expect(runInThisContext(parsed([text]))).toEqual([text]);
      }),
    );
  });

  it.each(["'", '\\', "\\'", '\n', '\r', '\u2028', '\u2029', '</script>', '<!--', '${x}', '`'])(
    'keeps %j inside the literal',
    (text) => {
      expect(runInThisContext(quoted(text))).toBe(text);
      expect(quoted(text)).not.toMatch(/[\n\r\u2028\u2029<]/);
    },
  );
});

describe('mappingModule', () => {
  it('keeps users and groups apart, and meets no prototype', async () => {
    const location = { file: 'themes/users.csv' };
    const assigned = (kind: Assignment['kind'], key: string, theme: string): Assignment => ({
      kind,
      key,
      theme,
      location,
      themeLocation: location,
    });
    const { content } = mappingModule('mapping.js', [
      assigned('group', 'tom', 'harbor'),
      assigned('user', '__proto__', 'meadow'),
    ]);
    const text = 'text' in content ? content.text : '';
    const { mapping } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      mapping: Record<Assignment['kind'], Map<string, string>>;
    };
    expect([...mapping.user]).toEqual([['__proto__', 'meadow']]);
    expect([...mapping.group]).toEqual([['tom', 'harbor']]);
    expect(mapping.user.get('constructor')).toBeUndefined();
  });
});

describe('handlerModules', () => {
  it('does not let a host go out without its handler', () => {
    expect(() => handlerModules('', {})).toThrow('handler.js');
  });
});
