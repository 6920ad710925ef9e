import type { Snapshot } from 'xstate';
import type { Input, Plain, RecordedEvent } from '../../machines/trace/format.ts';
import { nameAt } from '../../machines/flows/routes.ts';
import { describedAs, descriptionOf, ownProperty } from './descriptions.ts';
import { placeText } from './text.ts';
import { flowName, machineIn, objectIn, priced, runningIn, type Screen } from './screen.ts';

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** Whether the title on the screen costs nothing. */
export const isFree = (actors: Actors): boolean => objectIn(runningIn(actors, flowName)?.snapshot, 'title')?.['free'] === true;

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

/** Of several buttons that an order names, the one that the screen has; the first where it has more, or says none. */
const chosenIn = (order: string, words: string, free: boolean): string => {
  const choice =
    /(?:the first button below the message )?\(?“[^”]*”(?: \(|,? or |, )“[^”]*”(?:(?:,? or |, )“[^”]*”)*(?: [^)“]*)?\)?/.exec(
      order,
    )?.[0];
  if (choice === undefined) return order;
  const names = [...choice.matchAll(/“([^”]*)”/g)].map(([, name = '']) => name);
  const onScreen = names.filter((name) => words.includes(`“${name}”`));
  const forFree = names.find((name) => /free/i.test(name));
  const name = free && forFree !== undefined ? forFree : ((onScreen.length === 1 ? onScreen[0] : names[0]) ?? '');
  return order.replace(choice, `“${name}”`);
};

/** An order to a tester, as what the customer did: in the third person, and with the price. */
const deedText = (order: string, screen: Screen | null, free: boolean): string => {
  const plain = chosenIn(order, screen?.words ?? '', free);
  return verbs.reduce((text, [verb, third]) => text.replace(verb, third), priced(plain, screen?.toPay ?? null));
};

/** What is folded away: it happens by itself, or tells nothing of why somebody asks for help. */
const folded: ReadonlySet<string> = new Set([
  'places.seen',
  'related.near',
  'comments.near',
  'search.left',
  'search.typed',
  'email.typed',
  'suggestion.moved',
  'book.controlsRequested',
]);

/** What was chosen, where the order of a tester leaves that open. */
const choiceIn = ({ type, place }: RecordedEvent): string | undefined => {
  const chosen = type === 'place.chosen' ? placeText(place) : null;
  return chosen === null ? undefined : `Choose ${chosen}, for the tax`;
};

/** The press of an event, where it is one of the customer’s. */
const pressIn = (input: Input, actors: Actors): string | undefined => {
  if (input.kind !== 'event') return undefined;
  const snapshot = machineIn(actors, input.to);
  if (!snapshot || folded.has(input.event.type)) return undefined;
  return (
    choiceIn(input.event) ?? describedAs(ownProperty(descriptionOf.get(snapshot.machine.id)?.presses, input.event.type), snapshot)
  );
};

const textIn = (value: Plain | undefined): string => (typeof value === 'string' ? value : '');

/** Where a link or a search leads to. */
const wayText = (to: string): string => {
  const [path = '', query = ''] = to.split('?');
  const search = new URLSearchParams(query).get('search');
  if (search !== null) return `Searches for “${search}”`;
  const name = nameAt(path);
  if (name !== undefined) return `Follows a link to “${name}”`;
  return path.startsWith('/id:') ? 'Follows a link to a title' : `Follows a link to ${path}`;
};

/** What the customer did by an event from outside, in words; null when it was not theirs or is folded away. */
export const customerDeed = (input: Input, actors: Actors, screen: Screen | null): string | null => {
  const press = pressIn(input, actors);
  if (press !== undefined) return deedText(press, screen, isFree(actors));
  return input.kind === 'event' && input.to === 'root' && input.event.type === 'go' ? wayText(textIn(input.event['to'])) : null;
};

export const isTyping = (input: Input): boolean => input.kind === 'event' && input.event.type === 'search.typed';
