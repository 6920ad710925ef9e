import { defineRolldownBabelPreset, type RolldownBabelPreset } from '@rolldown/plugin-babel';

/** What stands in a flow's definition for the server and the tests alone. */
const notes: ReadonlySet<string> = new Set(['spec', 'examples', 'listed', 'machine', 'indexed', 'crawled', 'painted']);

type Property = { key?: { name?: string }; value: { type: string; properties?: Property[] } };
type Visitor = { ObjectProperty: (path: { node: Property; remove: () => void }) => void };

/** Changes the modules that `id` matches where pages are built; tests read them as they stand. */
const inBuilds = (id: RegExp, visitor: Visitor): RolldownBabelPreset =>
  defineRolldownBabelPreset({
    preset: () => ({ plugins: [{ visitor }] }),
    rolldown: { filter: { id }, configResolvedHook: ({ command }) => command === 'build' },
  });

const nameOf = ({ key }: Property): string => key?.name ?? '';

/** The rows of the specification that a state or a transition of a machine shows, for plans of tests. */
const isMarked = (property: Property): boolean =>
  nameOf(property) === 'meta' &&
  property.value.type === 'ObjectExpression' &&
  (property.value.properties ?? []).every((part) => nameOf(part) === 'spec');

/** Leaves out of the scripts what no page reads: it would be a part of every first visit. */
export const leaveOutNotes = [
  inBuilds(/\/machines\/flows\/[^/]+\.ts$/, {
    ObjectProperty: (path) => {
      if (notes.has(nameOf(path.node))) path.remove();
    },
  }),
  inBuilds(/\/machines\/(?!paths\/|path-models\/|trace\/).+\.ts$/, {
    ObjectProperty: (path) => {
      if (isMarked(path.node)) path.remove();
    },
  }),
];
