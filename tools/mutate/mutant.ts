/** What is changed in a machine. Of `tags` and `meta` the customer sees nothing by themselves: they are reported apart. */
export const kinds = [
  'targets',
  'transitions',
  'guards',
  'order',
  'actions',
  'invokes',
  'delays',
  'assignments',
  'inputs',
  'events',
  'outputs',
  'functions',
  'tags',
  'meta',
] as const;

export type Kind = (typeof kinds)[number];

export const isApart = ({ kind }: Pick<Mutant, 'kind'>): boolean => kind === 'tags' || kind === 'meta';

/** One change of one file: the characters from `start` to `end` give way to `text`. */
export type Mutant = {
  /** Stays the same when lines move, as in `machines/buying/payment.ts states.unknown.exit: countCheck is left out`. */
  key: string;
  /** Relative to the project, as in `machines/buying/payment.ts`. */
  file: string;
  line: number;
  kind: Kind;
  start: number;
  end: number;
  text: string;
};

/**
 * The file that holds the machine: for a file of ports, actions and guards, such as
 * `payment-setup.ts`, the one beside it. Other files are returned as they are.
 */
export const machineFileOf = (file: string): string => file.replace(/-setup\.ts$/, '.ts');

/** Stands at the end of a changed file, so that lines stay where they are. */
const helpers = "\nimport { not as negated$ } from 'xstate';\n";

/** What negates a guard, by its name or its definition. */
export const negated = (guard: string): string => `negated$(${guard})`;

/** The source of a file with one change. */
export const changed = (source: string, { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>): string =>
  `${source.slice(0, start)}${text}${source.slice(end)}${text.includes('negated$') ? helpers : ''}`;
