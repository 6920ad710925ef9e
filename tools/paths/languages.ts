import { formatter } from '@lingui/format-po';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanStep } from './plan-document.ts';

const root = join(import.meta.dirname, '../..');

/** A value in a text of the screen, by its name: `{price}`. */
const value = /\{\w+\}/g;
const nameless = (text: string): string => text.replaceAll(value, '{}');

type Message = { message?: string; translation?: string };

/** French texts of the screen by their English ones, all without the marks of what is linked in them. */
const readFrench = (): Map<string, { values: string[]; translation: string }> => {
  const { parse } = formatter();
  const withoutMarks = (text: string): string => text.replaceAll(/<\/?\d+>/g, '');
  const messages = globSync('src/{locales,views/late/words,flows/*/words}/fr.po', { cwd: root }).flatMap((filename) => {
    const text = readFileSync(join(root, filename), 'utf8');
    return Object.values(parse(text, { locale: 'fr', sourceLocale: 'en', filename }) as Record<string, Message>);
  });
  return new Map(
    messages.flatMap(({ message, translation }) =>
      message !== undefined && translation !== undefined
        ? [
            [
              nameless(withoutMarks(message)),
              { values: message.match(value) ?? [], translation: withoutMarks(translation) },
            ] as const,
          ]
        : [],
    ),
  );
};

const french = readFrench();

/** A text with what it quotes of the screen in French, where that is a whole text of it; values keep the names that the plan gives them. */
const inFrench = (text: string): string =>
  text.replaceAll(/“([^”]+)”/g, (quoted, english: string) => {
    const known = french.get(nameless(english));
    if (known === undefined || known.translation.includes(', plural,')) return quoted;
    const names = english.match(value) ?? [];
    return `“${known.translation.replaceAll(value, (own) => names[known.values.indexOf(own)] ?? own)}”`;
  });

const isChange = ({ event }: PlanStep): boolean => event.type === 'language.changed';

/** Steps that choose another language, by turns French and English, and what is quoted of the screen in the language that it is in. */
export const languageSteps = (steps: readonly PlanStep[]): PlanStep[] => {
  let isFrench = false;
  return steps.map((step): PlanStep => {
    const chosen = isChange(step);
    if (chosen) isFrench = !isFrench;
    const { does, sees } = step;
    const said = chosen ? `Choose “${isFrench ? 'Français' : 'English'}” at the foot of the page.` : does;
    const by = chosen ? 'you' : step.by;
    return isFrench ? { ...step, by, does: inFrench(said), sees: sees.map(inFrench) } : { ...step, by, does: said };
  });
};
