import type { AnswersForm, Questions, questionsMachine } from '../../../account/questions.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof questionsMachine>();

export const rules: Record<string, MachineRules> = {
  questions: {
    rules: [
      leadsTo('the questions load or their failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      always('the form is shown exactly if a question is open', (moment) => {
        const details = getPortOutput<Questions>(moment, 'loadQuestions');
        return details === undefined || moment.snapshot.matches('asking') === details.isOpen;
      }),
      always('the app continues exactly when no question is open', (moment) => {
        const details = getPortOutput<Questions>(moment, 'loadQuestions');
        const mayContinue = details === undefined ? getPortOutput(moment, 'saveAnswers') !== undefined : !details.isOpen;
        return getSentEvents(moment, 'go').length === (mayContinue ? 1 : 0);
      }),
      always('the app continues at the destination, and resumes the action only if questions were answered', (moment) => {
        const { path, action } = moment.snapshot.context.way;
        const hasAnswered = getPortOutput(moment, 'saveAnswers') !== undefined;
        return getSentEvents(moment, 'go').every(
          ({ to, resume }) => to === path && (resume ?? null) === (hasAnswered ? action : null),
        );
      }),
      always('the answers are sent as they were typed', (moment) => {
        const input = getPortInput<{ pii: { form: AnswersForm } }>(moment, 'saveAnswers');
        if (input === undefined) return true;
        return JSON.stringify(input.pii.form) === JSON.stringify((moment.event['pii'] as { form: AnswersForm }).form);
      }),
      onlyAfter('answers are sent only after a press', {
        cause: ({ event, before }) => event.type === 'answers.submitted' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'saveAnswers') !== undefined,
        each: true,
      }),
      always('a failed save returns to the form with its problem', (moment) => {
        const problem = getPortProblem(moment, 'saveAnswers');
        return problem === null || (moment.snapshot.matches('asking') && moment.snapshot.context.problem !== null);
      }),
      invariant('the typed answers are kept only while they are saved', ({ value, context }) => {
        return (context.pii.form !== null) === (value === 'saving');
      }),
      leadsTo('every save of answers ends', {
        after: ({ snapshot }) => snapshot.matches('saving'),
        to: ({ snapshot }) => snapshot.matches('answered') || snapshot.matches('asking'),
      }),
    ],
    pii: {
      'questions.asking': 'the form shows the customer’s earlier answers',
      'questions.saving': 'the answers are on their way to the server',
    },
    externalExits: { 'questions.answered': 'the app leads to the page that the customer came from' },
  },
};
