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
  const removeTags = (text: string): string => text.replaceAll(/<\/?\d+>/g, '');
  const messages = globSync('src/{locales,views/lazy/words,flows/*/words}/fr.po', { cwd: root }).flatMap((filename) => {
    const text = readFileSync(join(root, filename), 'utf8');
    return Object.values(parse(text, { locale: 'fr', sourceLocale: 'en', filename }) as Record<string, Message>);
  });
  return new Map(
    messages.flatMap(({ message, translation }) =>
      message !== undefined && translation !== undefined
        ? [
            [
              blankValues(removeTags(message)),
              { values: message.match(valuePattern) ?? [], translation: removeTags(translation) },
            ] as const,
          ]
        : [],
    ),
  );
};

const frenchMessages = readFrench();

/**
 * Translates quotations of the screen in a text into French if they are complete messages; values
 * keep the plan's names.
 */
const translateQuotes = (text: string): string =>
  text.replaceAll(/“([^”]+)”/g, (quotation, english: string) => {
    const frenchMessage = frenchMessages.get(blankValues(english));
    if (frenchMessage === undefined || frenchMessage.translation.includes(', plural,')) return quotation;
    const names = english.match(valuePattern) ?? [];
    return `“${frenchMessage.translation.replaceAll(valuePattern, (placeholder) => names[frenchMessage.values.indexOf(placeholder)] ?? placeholder)}”`;
  });

const isLanguageChange = ({ event }: PlanStep): boolean => event.type === 'language.changed';

/**
 * Adds steps that switch the language, alternately to French and English, and translates the
 * quotations after them.
 */
export const translateSteps = (steps: readonly PlanStep[]): PlanStep[] => {
  let isFrench = false;
  return steps.map((step): PlanStep => {
    const isChange = isLanguageChange(step);
    if (isChange) isFrench = !isFrench;
    const { does, sees } = step;
    const action = isChange ? `Choose “${isFrench ? 'Français' : 'English'}” at the foot of the page.` : does;
    const by = isChange ? 'you' : step.by;
    return isFrench
      ? { ...step, by, does: translateQuotes(action), sees: sees.map(translateQuotes) }
      : { ...step, by, does: action };
  });
};
