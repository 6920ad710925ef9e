import type { PlanStep } from './document.ts';

const isChange = ({ event }: PlanStep): boolean => event.type === 'language.changed';

/** Steps that choose another language, by turns French and English: a plan quotes texts in English. */
export const languageSteps = (steps: readonly PlanStep[]): PlanStep[] => {
  let isFrench = false;
  return steps.map((step) => {
    if (!isChange(step)) return step;
    isFrench = !isFrench;
    const does = isFrench
      ? 'Choose “Français” at the foot of the page. Until English comes back, texts that are quoted here are in French there.'
      : 'Choose “English” at the foot of the page.';
    return { ...step, by: 'you', does };
  });
};
