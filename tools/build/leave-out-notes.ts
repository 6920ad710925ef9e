import { defineRolldownBabelPreset, type RolldownBabelPreset } from '@rolldown/plugin-babel';

/** Properties of a flow's definition that only the server and the tests use. */
const droppedProperties: ReadonlySet<string> = new Set([
  'spec',
  'examples',
  'listed',
  'machine',
  'indexed',
  'crawled',
  'serverRendered',
]);

type Property = { key?: { name?: string }; value: { type: string; properties?: Property[] } };
type Visitor = { ObjectProperty: (path: { node: Property; remove: () => void }) => void };

/** Transforms the modules that match `id` in builds; tests read them unchanged. */
const createBuildPlugin = (id: RegExp, visitor: Visitor): RolldownBabelPreset =>
  defineRolldownBabelPreset({
    preset: () => ({ plugins: [{ visitor }] }),
    rolldown: { filter: { id }, configResolvedHook: ({ command }) => command === 'build' },
  });

const getName = ({ key }: Property): string => key?.name ?? '';

/**
 * Whether a property is the `meta` of a state or transition with only the rows of the
 * specification, for test plans.
 */
const isDroppedMeta = (property: Property): boolean =>
  getName(property) === 'meta' &&
  property.value.type === 'ObjectExpression' &&
  (property.value.properties ?? []).every((child) => getName(child) === 'spec');

/** Strips data that no page reads from the scripts: each first visit would load it. */
export const stripTestMetadata = [
  createBuildPlugin(/\/machines\/flows\/[^/]+\.ts$/, {
    ObjectProperty: (path) => {
      if (droppedProperties.has(getName(path.node))) path.remove();
    },
  }),
  createBuildPlugin(/\/machines\/(?!paths\/|path-models\/|trace\/).+\.ts$/, {
    ObjectProperty: (path) => {
      if (isDroppedMeta(path.node)) path.remove();
    },
  }),
];
