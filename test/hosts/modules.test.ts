import { describe, expect, it } from 'vitest';
import { embeddedMapping, handlerModules } from '../../src/hosts/handler-modules.ts';
import { MEDIA_TYPES } from '../../src/edge-runtime/media.ts';
import { FORMATS } from '../../src/image/format.ts';
import { pointerValue } from '../../src/users/shards.ts';
import { type Assignment, mappingOf } from '../sample-users.ts';
import { SECRETS } from './site.ts';

describe('embeddedMapping', () => {
  it('separates users and groups, and ignores prototype properties', async () => {
    const mapping = await mappingOf([
      { kind: 'group', key: 'tom', theme: 'harbor' },
      { kind: 'user', key: '__proto__', theme: 'meadow' },
    ]);
    const { content } = embeddedMapping('', mapping);
    const text = 'text' in content ? content.text : '';
    const { mapping: imported } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      mapping: Record<Assignment['kind'], Map<string, string>>;
    };
    expect([...imported.user]).toEqual([['__proto__', 'meadow']]);
    expect([...imported.group]).toEqual([['tom', 'harbor']]);
    expect(imported.user.get('constructor')).toBeUndefined();
  });

  it('has every value of the shards by its name, and no key', async () => {
    const mapping = await mappingOf([{ kind: 'user', key: 'nancy', theme: 'meadow' }], SECRETS.THEMECAST_KEY_SECRET);
    const { shards } = mapping;
    if (shards === undefined) throw new Error('There are no shards.');
    const { content } = embeddedMapping('', mapping);
    const text = 'text' in content ? content.text : '';
    const { values } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      values: Map<string, string>;
    };
    expect([...values]).toEqual([...shards.values(), pointerValue(shards)].map((value) => [value.name, value.text()]));
    expect(text).not.toContain('nancy');
  });
});

describe('handlerModules', () => {
  it('refuses to write a host without its handler', () => {
    expect(() => handlerModules('', {})).toThrow('was src/ compiled');
  });
});

describe('media', () => {
  it('has the media type of every published image', () => {
    const types = Object.values(FORMATS).flatMap(({ extensions, mediaType }) =>
      extensions.map((extension) => [extension, mediaType]),
    );
    expect(MEDIA_TYPES).toEqual(Object.fromEntries(types));
  });
});
