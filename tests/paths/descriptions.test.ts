import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { describeSnapshot, describeStep } from '../../tools/paths/describe-step.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { resolveText, type AnyDescription } from '../../machines/path-models/description.ts';

/** The texts of all screens, from the English catalogues, with their placeholders. */
const catalogue = globSync('../../src/{locales,views/lazy/words,flows/*/words}/en.po', { cwd: import.meta.dirname }).flatMap(
  (name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    const ids = text.matchAll(/^msgid ((?:".*"\n)+)/gm);
    return [...ids].map(([, lines = '']) =>
      [...lines.matchAll(/"(.*)"/g)].map(([, line = '']) => line.replaceAll('\\"', '"')).join(''),
    );
  },
);
const stripPlaceholders = (text: string) =>
  text
    .replace(/<\/?\d+>/g, '')
    .replace(/\{[^}]*\}|“\{[^}]*\}”/g, '…')
    .replace(/[“”]/g, '');
const screenTexts = new Set(catalogue.map(stripPlaceholders));

/** The texts of a description that are the same in every snapshot. */
const listTexts = ({ states, presses = {}, happens = {}, asks = {}, effects = {} }: AnyDescription): string[] =>
  [states, presses, happens, asks, effects].flatMap((texts) => Object.values(texts).filter((text) => typeof text === 'string'));

/** All texts about the states and presses of a model, and the names of missing ones. */
const describeModel = (model: PathModel): { texts: string[]; missing: string[] } => {
  const { nodes, edges } = explore(model.machine, model);
  const states = nodes.flatMap(({ snapshot }) => describeSnapshot(model.description, snapshot));
  const steps = edges.map((edge) => describeStep(model, edge));
  const presses = edges.flatMap(({ event, from }) => {
    const press = model.description.presses?.[event.type];
    return press === undefined ? [] : [resolveText(press, from.snapshot)];
  });
  return {
    texts: [...states.map(({ text }) => text), ...presses],
    missing: [
      ...states.filter(({ isMissing }) => isMissing).map(({ id }) => `state ${id}`),
      ...steps.flatMap(({ missing }) => missing),
    ],
  };
};

const descriptions = new Map([...modelsByMachine].map(([name, starts]) => [name, starts.map(describeModel)]));

describe.each([...modelsByMachine])('%s', (name, starts) => {
  test('every step and every state is described', () => {
    expect([...new Set(descriptions.get(name)?.flatMap(({ missing }) => missing))]).toEqual([]);
  });

  test('each start has its own text about how to reach it', () => {
    const startTexts = starts.map((start) => start.startInstruction);
    expect(new Set(startTexts).size).toBe(startTexts.length);
    expect(startTexts.filter((text) => !text.endsWith('.'))).toEqual([]);
  });

  test('every described effect is an action of the machine', () => {
    const [{ machine, description }] = starts as [PathModel];
    expect(Object.keys(description.effects ?? {}).filter((name) => !(name in machine.implementations.actions))).toEqual([]);
  });

  test('every quoted text is a text of the screens', () => {
    const [{ description }] = starts as [PathModel];
    const texts = new Set([...listTexts(description), ...(descriptions.get(name)?.flatMap((each) => each.texts) ?? [])]);
    const quotes = [...texts].flatMap((text) => [...text.matchAll(/“([^”]+)”/g)].map(([, quote = '']) => quote));
    const names = [...modelsByMachine.keys()];
    expect(quotes.filter((quote) => !screenTexts.has(stripPlaceholders(quote)) && !names.includes(quote))).toEqual([]);
  });
});
