import { kinds, propertyDefinitions } from '../../../server/stores/store-properties.ts';
import { formatTable } from './table.ts';

export const propertyTypesText = (): string =>
  formatTable(
    ['Type', 'Expected'],
    Object.entries(kinds).map(([name, { expected }]) => [name, expected]),
  );

/** The properties that the page receives. */
export const propertiesText = (): string =>
  formatTable(
    ['Property', 'Type', 'Default', 'Effect'],
    Object.entries(propertyDefinitions).flatMap(([name, { kind, default: otherwise, isServers, says }]) =>
      isServers ? [] : [[name, kind, otherwise === undefined ? '' : `\`${otherwise}\``, says]],
    ),
  );
