export { default as purifier } from 'dompurify';
