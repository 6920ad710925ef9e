import { kinds, propertyDefinitions } from '../../../server/stores/store-properties.ts';
import { formatTable } from './table.ts';

export const formatPropertyTypes = (): string =>
  formatTable(
    ['Type', 'Expected'],
    Object.entries(kinds).map(([name, { expected }]) => [name, expected]),
  );

/** The properties that the page receives. */
export const formatProperties = (): string =>
  formatTable(
    ['Property', 'Type', 'Default', 'Effect'],
    Object.entries(propertyDefinitions).flatMap(([name, { kind, default: defaultText, isServerOnly, description }]) =>
      isServerOnly ? [] : [[name, kind, defaultText === undefined ? '' : `\`${defaultText}\``, description]],
    ),
  );
