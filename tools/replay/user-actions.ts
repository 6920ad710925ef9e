import type { Snapshot } from 'xstate';
import type { Input, Plain, RecordedEvent } from '../../machines/trace/format.ts';
import { findRouteName } from '../../machines/flows/routes.ts';
import { resolveDescription, descriptionByMachine, getOwnProperty } from './descriptions.ts';
import { formatTaxPlace } from './text.ts';
import { flowNamePattern, getMachineSnapshot, getObject, fillPrice, findRunning, type Screen } from './screen.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** Whether the title on the screen is free. */
export const isFreeTitleOpen = (actors: Actors): boolean =>
  getObject(findRunning(actors, flowNamePattern)?.snapshot, 'title')?.['free'] === true;

const verbs: readonly (readonly [RegExp, string])[] = [
  [/\bPress\b/g, 'Presses'],
  [/\bpress “/g, 'presses “'],
  [/^Fill\b/, 'Fills'],
  [/^Type\b/, 'Types'],
  [/\bbut leave\b/, 'but leaves'],
  [/^Choose\b/, 'Chooses'],
  [/^Move\b/, 'Moves'],
  [/^Open\b/, 'Opens'],
  [/, tick\b/, ', ticks'],
  [/\bchoose\b/, 'chooses'],
];

/**
 * Selects the button that is on the screen, of several in an instruction; the first if several or
 * none match.
 */
const chooseAlternative = (instruction: string, words: string, free: boolean): string => {
  const choice =
    /(?:the first button below the message )?\(?“[^”]*”(?: \(|,? or |, )“[^”]*”(?:(?:,? or |, )“[^”]*”)*(?: [^)“]*)?\)?/.exec(
      instruction,
    )?.[0];
  if (choice === undefined) return instruction;
  const names = [...choice.matchAll(/“([^”]*)”/g)].map(([, name = '']) => name);
  const shownNames = names.filter((name) => words.includes(`“${name}”`));
  const freeName = names.find((name) => /free/i.test(name));
  const name = free && freeName !== undefined ? freeName : ((shownNames.length === 1 ? shownNames[0] : names[0]) ?? '');
  return instruction.replace(choice, `“${name}”`);
};

/**
 * Rewrites a tester's instruction as an action of the customer: in the third person, with the
 * price.
 */
const toActionText = (instruction: string, screen: Screen | null, free: boolean): string => {
  const chosenInstruction = chooseAlternative(instruction, screen?.words ?? '', free);
  return verbs.reduce(
    (text, [verb, replacement]) => text.replace(verb, replacement),
    fillPrice(chosenInstruction, screen?.toPay ?? null),
  );
};

/** Events omitted from the narrative: they are automatic, or irrelevant to support. */
const omittedEvents: ReadonlySet<string> = new Set([
  'visibleRange.changed',
  'related.nearViewport',
  'comments.nearViewport',
  'search.closed',
  'search.typed',
  'email.typed',
  'suggestion.moved',
  'book.controlsRequested',
]);

/** Describes the customer's choice of an event whose instruction leaves it open. */
const getChoice = ({ type, place }: RecordedEvent): string | undefined => {
  const chosen = type === 'taxLocation.chosen' ? formatTaxPlace(place) : null;
  return chosen === null ? undefined : `Choose ${chosen}, for the tax`;
};

/** The description of an event that is an action of the customer. */
const getPressText = (input: Input, actors: Actors): string | undefined => {
  if (input.kind !== 'event') return undefined;
  const snapshot = getMachineSnapshot(actors, input.to);
  if (!snapshot || omittedEvents.has(input.event.type)) return undefined;
  return (
    getChoice(input.event) ??
    resolveDescription(getOwnProperty(descriptionByMachine.get(snapshot.machine.id)?.presses, input.event.type), snapshot)
  );
};

const toText = (value: Plain | undefined): string => (typeof value === 'string' ? value : '');

/** Describes the target of a link or a search. */
const describePath = (target: string): string => {
  const [path = '', query = ''] = target.split('?');
  const search = new URLSearchParams(query).get('search');
  if (search !== null) return `Searches for “${search}”`;
  const name = findRouteName(path);
  if (name !== undefined) return `Follows a link to “${name}”`;
  return path.startsWith('/id:') ? 'Follows a link to a title' : `Follows a link to ${path}`;
};

/**
 * The customer's action behind an external event, in words; null if the customer did nothing, or
 * if the event is omitted.
 */
export const describeUserAction = (input: Input, actors: Actors, screen: Screen | null): string | null => {
  const press = getPressText(input, actors);
  if (press !== undefined) return toActionText(press, screen, isFreeTitleOpen(actors));
  return input.kind === 'event' && input.to === 'root' && input.event.type === 'go'
    ? describePath(toText(input.event['to']))
    : null;
};

export const isTyping = (input: Input): boolean => input.kind === 'event' && input.event.type === 'search.typed';
