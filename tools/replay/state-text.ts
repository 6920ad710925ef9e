import type { StateValue } from 'xstate';

const statesIn = (value: StateValue): string[] => {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([name, inner]) => {
    const parts = inner === undefined ? [] : statesIn(inner);
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`);
  });
};

const and = ' + ';

/** A state value in one line: `ready`, `shown.resting`, `reading.page.open + reading.panel.closed`. */
export const stateText = (value: StateValue): string => statesIn(value).join(and);

/** From one state to another, as texts; of a machine that is in several states at once, only those that change. */
export const moveText = (from: string, to: string): string => {
  const [before, after] = [from.split(and), to.split(and)];
  const [gone, come] = [before.filter((part) => !after.includes(part)), after.filter((part) => !before.includes(part))];
  return gone.length > 0 && come.length > 0 ? `${gone.join(and)} → ${come.join(and)}` : `${from} → ${to}`;
};
