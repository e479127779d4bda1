import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import { mount } from 'svelte'
import AppView from './App.svelte'

const target = document.getElementById('app')
if (target !== null) mount(AppView, { target })
