import type { AnswersForm, Questions, questionsMachine } from '../../../account/questions.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof questionsMachine>();

export const rules: Record<string, MachineRules> = {
  questions: {
    rules: [
      leadsTo('the questions come, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      always('somebody is asked exactly where something is open', (moment) => {
        const details = getPortOutput<Questions>(moment, 'loadQuestions');
        return details === undefined || moment.snapshot.matches('asking') === details.isOpen;
      }),
      always('nobody goes on before everything is answered', (moment) => {
        const details = getPortOutput<Questions>(moment, 'loadQuestions');
        const mayGo = details === undefined ? getPortOutput(moment, 'saveAnswers') !== undefined : !details.isOpen;
        return getSentEvents(moment, 'go').length === (mayGo ? 1 : 0);
      }),
      always(
        'whoever goes on goes where they wanted to, and only who was asked finds taken up what they had pressed',
        (moment) => {
          const { path, action } = moment.snapshot.context.way;
          const wasAsked = getPortOutput(moment, 'saveAnswers') !== undefined;
          return getSentEvents(moment, 'go').every(
            ({ to, resume }) => to === path && (resume ?? null) === (wasAsked ? action : null),
          );
        },
      ),
      always('what is sent is what was typed', (moment) => {
        const asked = getPortInput<{ pii: { form: AnswersForm } }>(moment, 'saveAnswers');
        if (asked === undefined) return true;
        return JSON.stringify(asked.pii.form) === JSON.stringify((moment.event['pii'] as { form: AnswersForm }).form);
      }),
      onlyAfter('answers are sent by a press', {
        cause: ({ event, before }) => event.type === 'answers.submitted' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'saveAnswers') !== undefined,
        each: true,
      }),
      always('what was not kept is told', (moment) => {
        const problem = getPortProblem(moment, 'saveAnswers');
        return problem === null || (moment.snapshot.matches('asking') && moment.snapshot.context.problem !== null);
      }),
      invariant('what was typed is held only while it is on its way', ({ value, context }) => {
        return (context.pii.form !== null) === (value === 'saving');
      }),
      leadsTo('every sending is answered', {
        after: ({ snapshot }) => snapshot.matches('saving'),
        to: ({ snapshot }) => snapshot.matches('answered') || snapshot.matches('asking'),
      }),
    ],
    pii: {
      'questions.asking': 'the form shows what is known of the customer',
      'questions.saving': 'the answers are on their way to the server',
    },
    externalExits: { 'questions.answered': 'the app leads to the page that the customer came from' },
  },
};
