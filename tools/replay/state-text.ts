import type { StateValue } from 'xstate';

/** A state value in one line: `ready`, `shown.resting`, `reading.page.open + reading.panel.closed`. */
export const stateText = (value: StateValue): string => {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .flatMap(([name, inner]) =>
      inner === undefined
        ? []
        : stateText(inner)
            .split(' + ')
            .map((part) => joined(name, part)),
    )
    .join(' + ');
};

const joined = (name: string, part: string): string => (part === '' ? name : `${name}.${part}`);
