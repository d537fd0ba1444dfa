import { describe, expect, it } from 'vitest';
import { Markup, markup } from '../../../src/core/document/html.ts';

describe('markup', () => {
  it('escapes text for content and attributes', () => {
    expect(markup`<p title="${`"'\``}">${'<b>&</b>'}</p>`.text).toBe(
      '<p title="&#34;&#39;&#96;">&#60;b&#62;&#38;&#60;/b&#62;</p>',
    );
  });

  it('keeps numbers and literal text unchanged', () => {
    expect(markup`<a>${1}</a>&amp;${-0.5}`.text).toBe('<a>1</a>&amp;-0.5');
  });

  it('inserts markup unchanged, so nothing is escaped twice', () => {
    const inner = markup`<b>${'&'}</b>`;
    expect(markup`<p>${inner}</p>`.text).toBe('<p><b>&#38;</b></p>');
    expect(markup`${new Markup('<hr>')}`.text).toBe('<hr>');
  });

  it('joins lists of any depth, and escapes the texts in them', () => {
    expect(markup`${[markup`<i>`, '<', ['>', []], 2]}`.text).toBe('<i>&#60;&#62;2');
  });

  it('writes characters that reorder text as character references', () => {
    expect(markup`${'\u202egnp\u202c \u2066x\u2069 \u200f\u061c'}`.text).toBe(
      '&#8238;gnp&#8236; &#8294;x&#8297; &#8207;&#1564;',
    );
  });

  it('keeps every other character, even outside the basic plane', () => {
    expect(markup`${'Ünï © 漢字 👩‍🚀 עברית $$ $1'}`.text).toBe('Ünï © 漢字 👩‍🚀 עברית $$ $1');
  });
});
