import { defineRolldownBabelPreset, type RolldownBabelPreset } from '@rolldown/plugin-babel';

/** Properties of a flow's definition that only the server and the tests use. */
const notes: ReadonlySet<string> = new Set(['spec', 'examples', 'listed', 'machine', 'indexed', 'crawled', 'rendered']);

type Property = { key?: { name?: string }; value: { type: string; properties?: Property[] } };
type Visitor = { ObjectProperty: (path: { node: Property; remove: () => void }) => void };

/** Transforms the modules that match `id` in builds; tests read them unchanged. */
const inBuilds = (id: RegExp, visitor: Visitor): RolldownBabelPreset =>
  defineRolldownBabelPreset({
    preset: () => ({ plugins: [{ visitor }] }),
    rolldown: { filter: { id }, configResolvedHook: ({ command }) => command === 'build' },
  });

const nameOf = ({ key }: Property): string => key?.name ?? '';

/**
 * Whether it is the `meta` of a state or transition that lists rows of the specification, for test
 * plans.
 */
const isMarked = (property: Property): boolean =>
  nameOf(property) === 'meta' &&
  property.value.type === 'ObjectExpression' &&
  (property.value.properties ?? []).every((part) => nameOf(part) === 'spec');

/** Strips data that no page reads from the scripts: each first visit would load it. */
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
