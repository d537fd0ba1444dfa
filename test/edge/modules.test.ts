import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handlerModules, mappingModule, parsed, quoted } from '../../src/edge/modules.ts';
import { type Assignment, mappingOf } from '../mapping.ts';

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
    const mapping = await mappingOf([
      { kind: 'group', key: 'tom', theme: 'harbor' },
      { kind: 'user', key: '__proto__', theme: 'meadow' },
    ]);
    const { content } = mappingModule('mapping.js', mapping);
    const text = 'text' in content ? content.text : '';
    const { mapping: imported } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      mapping: Record<Assignment['kind'], Map<string, string>>;
    };
    expect([...imported.user]).toEqual([['__proto__', 'meadow']]);
    expect([...imported.group]).toEqual([['tom', 'harbor']]);
    expect(imported.user.get('constructor')).toBeUndefined();
  });
});

describe('handlerModules', () => {
  it('does not let a host go out without its handler', () => {
    expect(() => handlerModules('', { rules: { keyed: false }, runtime: {} })).toThrow('handler.js');
  });
});
