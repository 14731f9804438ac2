import { mount } from 'svelte';
import App from './shell/App.svelte';
import './theme.css';
import './shell/shell.css';

const target = document.getElementById('app');
if (target) mount(App, { target });
