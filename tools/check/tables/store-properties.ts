import { kinds, storeProperties } from '../../../server/stores/store-properties.ts';
import { table } from './table.ts';

export const propertyTypesText = (): string =>
  table(
    ['Type', 'Expected'],
    Object.entries(kinds).map(([name, { expected }]) => [name, expected]),
  );

/** The properties that the page receives. */
export const propertiesText = (): string =>
  table(
    ['Property', 'Type', 'Default', 'Effect'],
    Object.entries(storeProperties).flatMap(([name, { kind, default: otherwise, isServers, says }]) =>
      isServers ? [] : [[name, kind, otherwise === undefined ? '' : `\`${otherwise}\``, says]],
    ),
  );
