import { describe, expect, it } from 'vitest';
import { defineCommand, type Flags, UsageError } from '../../../src/command-line/command.ts';
import { commandHelp } from '../../../src/command-line/help.ts';
import { parseCall } from '../../../src/command-line/parse.ts';

const FLAGS = {
  greeting: { type: 'string', value: 'TEXT', default: 'Hello', about: 'How to greet' },
  from: { type: 'string', value: 'NAME', about: 'Sender' },
  to: { type: 'string', value: 'NAME', multiple: true, about: 'Recipient; may be repeated' },
  loud: { type: 'boolean', about: 'In upper case' },
} as const satisfies Flags;

const hello = defineCommand({
  argument: '[PLACE]',
  examples: ['hello', 'hello --loud'],
  flags: FLAGS,
  async run({ greeting, from, to, loud }, place) {
    const text: string = greeting + (from ?? '') + to.join() + place;
    return Promise.resolve(loud ? text.length : 0);
  },
});

defineCommand({
  examples: ['hello', 'hello --loud'],
  // The command reads a flag that it does not list.
  flags: { loud: FLAGS.loud },
  // @ts-expect-error only the flags of the list have values
  run: ({ greeting }) => Promise.resolve(Number(greeting)),
});

describe('the call of a command', () => {
  it('has a value for every flag of its list', () => {
    expect(parseCall('hello', hello, [])).toEqual({
      flags: { greeting: 'Hello', from: undefined, to: [], loud: false },
      argument: '',
    });
  });

  it('has the flags and the argument as they are given', () => {
    const args = ['--to', 'ann', '--loud', 'harbor', '--to=tom', '--from', 'meadow'];
    expect(parseCall('hello', hello, args)).toEqual({
      flags: { greeting: 'Hello', from: 'meadow', to: ['ann', 'tom'], loud: true },
      argument: 'harbor',
    });
  });

  it.each([
    [['--grating', 'x'], /`hello` has no flag `--grating`\. Did you mean `--greeting`\?/],
    [['--from', ''], /^--from is empty\.$/],
    [['a', 'b'], /^`hello` takes one PLACE/],
    [['--loud=yes'], /does not take an argument/],
  ])('%j is rejected', (args, message) => {
    expect(() => parseCall('hello', hello, args)).toThrow(UsageError);
    expect(() => parseCall('hello', hello, args)).toThrow(message);
  });
});

describe('the help of a command', () => {
  it('lists its flags with their defaults', () => {
    expect(commandHelp('hello', 'Greet', hello)).toBe(`Greet.

Usage: themecast hello [PLACE] [flags]

  --greeting TEXT   How to greet (Hello)
  --from NAME       Sender
  --to NAME         Recipient; may be repeated
  --loud            In upper case

Examples:
  themecast hello
  themecast hello --loud
`);
  });
});
