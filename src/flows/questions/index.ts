export { flow } from './ports.ts';
export { QuestionsView as Screens } from './QuestionsView.tsx';
