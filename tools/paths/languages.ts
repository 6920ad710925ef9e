import { formatter } from '@lingui/format-po';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanStep } from './document.ts';

const root = join(import.meta.dirname, '../..');

type Message = { message?: string; translation?: string };

/** French texts of the screen by their English ones, all without the marks of what is linked in them. */
const readFrench = (): Map<string, string> => {
  const { parse } = formatter();
  const withoutMarks = (text: string): string => text.replaceAll(/<\/?\d+>/g, '');
  const messages = globSync('src/{locales,views/late/words,flows/*/words}/fr.po', { cwd: root }).flatMap((filename) => {
    const text = readFileSync(join(root, filename), 'utf8');
    return Object.values(parse(text, { locale: 'fr', sourceLocale: 'en', filename }) as Record<string, Message>);
  });
  return new Map(
    messages.flatMap(({ message, translation }) =>
      message !== undefined && translation !== undefined ? [[withoutMarks(message), withoutMarks(translation)] as const] : [],
    ),
  );
};

const french = readFrench();

/** A text with what it quotes of the screen in French, where that is a whole text of it. */
const inFrench = (text: string): string =>
  text.replaceAll(/“([^”]+)”/g, (quoted, english: string) => {
    const translated = french.get(english);
    return translated === undefined || translated.includes(', plural,') ? quoted : `“${translated}”`;
  });

const isChange = ({ event }: PlanStep): boolean => event.type === 'language.changed';

/** Steps that choose another language, by turns French and English, and what is quoted of the screen in the language that it is in. */
export const languageSteps = (steps: readonly PlanStep[]): PlanStep[] => {
  let isFrench = false;
  return steps.map((step): PlanStep => {
    const chosen = isChange(step);
    if (chosen) isFrench = !isFrench;
    const { does, before, sees } = step;
    const said = chosen ? `Choose “${isFrench ? 'Français' : 'English'}” at the foot of the page.` : does;
    const by = chosen ? 'you' : step.by;
    return isFrench ? { ...step, by, does: inFrench(said), before, sees: sees.map(inFrench) } : { ...step, by, does: said };
  });
};
