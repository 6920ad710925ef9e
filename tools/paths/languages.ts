import { formatter } from '@lingui/format-po';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanStep } from './plan-document.ts';

const root = join(import.meta.dirname, '../..');

/** A named value in a text of the screen: `{price}`. */
const valuePattern = /\{\w+\}/g;
const blankValues = (text: string): string => text.replaceAll(valuePattern, '{}');

type Message = { message?: string; translation?: string };

/** French texts of the screen by their English ones, without link tags. */
const readFrench = (): Map<string, { values: string[]; translation: string }> => {
  const { parse } = formatter();
  const withoutMarks = (text: string): string => text.replaceAll(/<\/?\d+>/g, '');
  const messages = globSync('src/{locales,views/lazy/words,flows/*/words}/fr.po', { cwd: root }).flatMap((filename) => {
    const text = readFileSync(join(root, filename), 'utf8');
    return Object.values(parse(text, { locale: 'fr', sourceLocale: 'en', filename }) as Record<string, Message>);
  });
  return new Map(
    messages.flatMap(({ message, translation }) =>
      message !== undefined && translation !== undefined
        ? [
            [
              blankValues(withoutMarks(message)),
              { values: message.match(valuePattern) ?? [], translation: withoutMarks(translation) },
            ] as const,
          ]
        : [],
    ),
  );
};

const french = readFrench();

/**
 * Translates quotations of the screen in a text into French if they are complete messages; values
 * keep the plan's names.
 */
const translateQuotes = (text: string): string =>
  text.replaceAll(/“([^”]+)”/g, (quoted, english: string) => {
    const known = french.get(blankValues(english));
    if (known === undefined || known.translation.includes(', plural,')) return quoted;
    const names = english.match(valuePattern) ?? [];
    return `“${known.translation.replaceAll(valuePattern, (own) => names[known.values.indexOf(own)] ?? own)}”`;
  });

const isLanguageChange = ({ event }: PlanStep): boolean => event.type === 'language.changed';

/**
 * Adds steps that switch the language, alternately to French and English, and translates the
 * quotations after them.
 */
export const translateSteps = (steps: readonly PlanStep[]): PlanStep[] => {
  let isFrench = false;
  return steps.map((step): PlanStep => {
    const chosen = isLanguageChange(step);
    if (chosen) isFrench = !isFrench;
    const { does, sees } = step;
    const said = chosen ? `Choose “${isFrench ? 'Français' : 'English'}” at the foot of the page.` : does;
    const by = chosen ? 'you' : step.by;
    return isFrench ? { ...step, by, does: translateQuotes(said), sees: sees.map(translateQuotes) } : { ...step, by, does: said };
  });
};
