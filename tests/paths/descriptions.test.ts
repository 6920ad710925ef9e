import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { seenIn, describeStep } from '../../tools/paths/describe-step.ts';
import { startsOf } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { textIn, type AnyDescription } from '../../machines/path-models/description.ts';

/** Texts of the screen in the English catalogues, and what stands in brackets there, as patterns. */
const catalogue = globSync('../../src/{locales,views/late/words,flows/*/words}/en.po', { cwd: import.meta.dirname }).flatMap(
  (name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    const ids = text.matchAll(/^msgid ((?:".*"\n)+)/gm);
    return [...ids].map(([, lines = '']) =>
      [...lines.matchAll(/"(.*)"/g)].map(([, line = '']) => line.replaceAll('\\"', '"')).join(''),
    );
  },
);
const bare = (text: string) =>
  text
    .replace(/<\/?\d+>/g, '')
    .replace(/\{[^}]*\}|“\{[^}]*\}”/g, '…')
    .replace(/[“”]/g, '');
const onScreen = new Set(catalogue.map(bare));

/** The texts that are the same in every snapshot. */
const textsOf = ({ states, presses = {}, happens = {}, asks = {}, effects = {} }: AnyDescription): string[] =>
  [states, presses, happens, asks, effects].flatMap((texts) => Object.values(texts).filter((text) => typeof text === 'string'));

/** All that is said of the ways through a machine, and what is not. */
const toldOf = (model: PathModel): { texts: string[]; missing: string[] } => {
  const { nodes, edges } = explore(model.machine, model);
  const states = nodes.flatMap(({ snapshot }) => seenIn(model.description, snapshot));
  const steps = edges.map((edge) => describeStep(model, edge));
  const presses = edges.flatMap(({ event, from }) => {
    const press = model.description.presses?.[event.type];
    return press === undefined ? [] : [textIn(press, from.snapshot)];
  });
  return {
    texts: [...states.map(({ text }) => text), ...presses],
    missing: [
      ...states.filter(({ isMissing }) => isMissing).map(({ id }) => `state ${id}`),
      ...steps.flatMap(({ missing }) => missing),
    ],
  };
};

const told = new Map([...startsOf].map(([name, starts]) => [name, starts.map(toldOf)]));

describe.each([...startsOf])('%s', (name, starts) => {
  test('describes every step and every state', () => {
    expect([...new Set(told.get(name)?.flatMap(({ missing }) => missing))]).toEqual([]);
  });

  test('says how to reach each of its starts, with a different text for each', () => {
    const given = starts.map((start) => start.given);
    expect(new Set(given).size).toBe(given.length);
    expect(given.filter((text) => !text.endsWith('.'))).toEqual([]);
  });

  test('names no action that the machine does not have', () => {
    const [{ machine, description }] = starts as [PathModel];
    expect(Object.keys(description.effects ?? {}).filter((name) => !(name in machine.implementations.actions))).toEqual([]);
  });

  test('quotes only texts that the screens have', () => {
    const [{ description }] = starts as [PathModel];
    const texts = new Set([...textsOf(description), ...(told.get(name)?.flatMap((each) => each.texts) ?? [])]);
    const quoted = [...texts].flatMap((text) => [...text.matchAll(/“([^”]+)”/g)].map(([, quote = '']) => quote));
    const names = [...startsOf.keys()];
    expect(quoted.filter((quote) => !onScreen.has(bare(quote)) && !names.includes(quote))).toEqual([]);
  });
});
