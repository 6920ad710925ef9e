import type { questionsMachine } from '../../../account/questions.ts';
import type { Description } from '../../description.ts';

export const questionsDescription = {
  title: 'What a store asks those who came by a provider or a telephone',
  about:
    'The page /questions, to which somebody is led after signing in by a provider or a telephone, where the store asks for more.',
  states: {
    'questions.loading': 'A wait: “You’re signed in. One moment…”.',
    'questions.asking':
      'The heading “Almost there”, the store’s questions, “Save and continue” and “Logout”; there is no way to skip them.',
    'questions.saving': 'The answers stay, and the button says “Saving…”.',
    'questions.answered': 'A wait: “You’re signed in. One moment…”, then the page that the customer came from.',
    'questions.failed': 'The heading “We couldn’t load what the shop asks you”, the reason, and “Retry”.',
  },
  presses: {
    'retry.pressed': 'Press “Retry”',
    'answers.submitted': 'Answer the questions and press “Save and continue”',
    'answers.rejected': 'Leave a question open and press “Save and continue”',
  },
  asks: { loadQuestions: 'what the store asks, and what is answered', saveAnswers: 'its word that the answers are kept' },
  effects: {
    keepFields: 'What is wrong stands beside the question, which has the focus; nothing is sent.',
    keepProblem: 'The reason stands above the questions, and what was answered is still there.',
    goOnAsked: 'The page that the customer came from, where what they had pressed before signing in is taken up.',
    goOn: 'The page that the customer came from.',
  },
} satisfies Description<typeof questionsMachine>;
