import { defineRolldownBabelPreset, type RolldownBabelPreset } from '@rolldown/plugin-babel';

/** What stands in a flow's definition for the server and the tests alone. */
const notes: ReadonlySet<string> = new Set(['spec', 'examples', 'listed', 'machine']);

type Property = { type: string; key: { name?: string }; value: { type: string; properties?: Property[] } };
type Path = { node: Property; remove: () => void };

const isNote = ({ key }: Property): boolean => notes.has(key.name ?? '');

/** The rows of the specification that a state or a transition of a machine shows, for plans of tests. */
const isMarked = ({ key, value }: Property): boolean =>
  key.name === 'meta' && value.type === 'ObjectExpression' && (value.properties ?? []).every((part) => part.key.name === 'spec');

const without = (id: RegExp, isLeftOut: (property: Property) => boolean): RolldownBabelPreset => ({
  preset: () => ({
    plugins: [
      {
        visitor: {
          ObjectProperty: (path: Path) => {
            if (isLeftOut(path.node)) path.remove();
          },
        },
      },
    ],
  }),
  // Tests read them.
  rolldown: { filter: { id }, configResolvedHook: ({ command }) => command === 'build' },
});

/** Leaves out of the scripts what no page reads: it would be a part of every first visit. */
export const leaveOutNotes = [
  defineRolldownBabelPreset(without(/\/src\/flows\/[^/]+\/flow\.ts$/, isNote)),
  defineRolldownBabelPreset(without(/\/machines\/(?!paths\/|trace\/).+\.ts$/, isMarked)),
];
