import type { questionsMachine } from '../../../account/questions.ts';
import type { Description } from '../../description.ts';

export const questionsDescription = {
  title: 'The questions of a store after a sign-in by a provider or a telephone',
  about: 'The page /questions, which follows a sign-in by a provider or a telephone if a required question has no answer.',
  states: {
    'questions.loading': 'A wait: “You’re signed in. One moment…”.',
    'questions.asking':
      'The heading “Almost there”, the store’s questions, “Save and continue” and “Logout”; there is no way to skip them.',
    'questions.saving': 'The answers stay, and the button says “Saving…”.',
    'questions.answered': 'A wait: “You’re signed in. One moment…”, then the page that the customer came from.',
    'questions.failed': 'The heading “We couldn’t load the shop’s questions”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'answers.submitted': 'Answer the questions and press “Save and continue”',
    'answers.rejected': 'Leave a required question unanswered and press “Save and continue”',
  },
  asks: {
    loadQuestions: 'the store’s questions and the customer’s answers',
    saveAnswers: 'its confirmation that the answers are saved',
  },
  effects: {
    keepFields: 'The problem is shown beside the question, which has the focus; nothing is sent.',
    keepProblem: 'The reason is shown above the questions, and the answers are still there.',
    goAfterAnswers: 'The page that the customer came from, where the action that they had started before sign-in resumes.',
    goToDestination: 'The page that the customer came from.',
  },
} satisfies Description<typeof questionsMachine>;
